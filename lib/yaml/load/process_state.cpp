// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/loaders.hpp"

#include <fmt/format.h>

namespace sme::yaml {

std::size_t word_dimensions(const expr::Ast& type_text, const Type& type) {
    constexpr std::uint64_t max_scalars = 64; // limit for a word that is an array
    const std::size_t written =
        type_text.kind == expr::Ast::Kind::index ? type_text.operands.size() - 1 : 0;
    std::size_t all = 0;
    const Type* word = &type;
    const Type* inner = &type;
    for (; inner->kind() == TypeKind::array; inner = inner->element().get())
        if (++all == written)
            word = inner->element().get();
    return word != &type && word->leaf_count() <= max_scalars ? written : all;
}

void add_memory(expr::StateText& state, TypeRef type, std::size_t dimensions,
                std::vector<std::byte> initial, Context& context, ProcessFamily& family) {
    Memory memory;
    memory.name = state.name;
    memory.words = 1;
    for (; dimensions > 0; --dimensions, type = type->element()) {
        state.dimensions.push_back(type->count());
        memory.words *= type->count();
    }
    context.take_memory(static_cast<Integer>(memory.words) * static_cast<Integer>(type->size()) *
                            static_cast<Integer>(family.count),
                        state.name, state.declared);
    state.type = memory.element = type;
    state.memory = static_cast<std::uint32_t>(family.memories.size());
    memory.dimensions = state.dimensions;
    memory.initial = std::move(initial);
    memory.declared = state.declared;
    family.memories.push_back(std::move(memory));
}

void add_slot(expr::StateText& state, const TypeRef& type, std::vector<std::byte> initial,
              Context& context, ProcessFamily& family) {
    BusFamily bus;
    bus.name = fmt::format("{}.{}", family.name, state.name);
    bus.shape = nested(family.shape, family.name.size(), {}); // "node[3].count"
    bus.type = type;
    bus.unwritten = Unwritten::hold;
    bus.has_initial = !initial.empty();
    bus.initial = std::move(initial);
    bus.state = true;
    bus.declared = state.declared;
    const BusFamily& added = context.design.graph.add(std::move(bus));
    Port port;
    port.name = state.name;
    port.type = type;
    port.declared = state.declared;
    port.buses = Segments::affine(family.count, static_cast<std::int64_t>(added.first), 1);
    port.output = true;
    state.type = type;
    state.write_port = static_cast<std::uint32_t>(family.ports.size());
    state.read_port = state.write_port + 1;
    family.ports.push_back(port);
    port.output = false;
    port.own = true;
    family.ports.push_back(std::move(port));
}

} // namespace sme::yaml
