// SPDX-License-Identifier: Apache-2.0
#include "export/modules/initial_values.hpp"

#include <cstring>

namespace sme::hdl {

std::vector<Words> InitialValues::of(const Variable& variable) const {
    std::vector<Words> made;
    for (std::uint64_t k = 0; k < count_; ++k)
        made.push_back(bits_of(variable, k));
    return made;
}

Words InitialValues::bits_of(const Variable& variable, std::uint64_t instance) const {
    Words all((variable.bits() + 63) / 64);
    if (variable.state && variable.state->is_memory) {
        const std::uint64_t width = variable.state->type->width_bits();
        for (const auto& [word, bits] : words_of(variable, instance))
            put_bits(all, word * width, bits, width);
        return all;
    }
    const std::uint32_t port =
        variable.output ? variable.output->write_port : variable.state->write_port;
    const std::uint64_t width = variable.type->width_bits();
    for (std::uint64_t element = 0; element < variable.count; ++element) {
        const auto bus =
            static_cast<std::uint64_t>(family_.ports[port + element].buses.at(first_ + instance));
        put_bits(all, element * width, initial_bits(graph_, bus, variable.field), width);
    }
    return all;
}

std::optional<std::uint64_t> InitialValues::scalar_of(const expr::StateText& state,
                                                      std::uint64_t offset,
                                                      expr::Scalar type) const {
    std::optional<std::uint64_t> made;
    for (std::uint64_t k = 0; k < count_; ++k) {
        const auto bus =
            static_cast<std::uint64_t>(family_.ports[state.write_port].buses.at(first_ + k));
        const BusFamily& family = graph_.family_of(bus);
        std::uint64_t bits = 0;
        if (!family.initial.empty()) {
            const std::size_t size = family.type->size();
            const std::size_t at = family.initial.size() == size ? 0 : (bus - family.first) * size;
            std::memcpy(&bits, family.initial.data() + at + offset, type.bytes());
        }
        const std::uint64_t value = canonical(bits, type.width_bits, type.is_signed);
        if (made && *made != value)
            return std::nullopt;
        made = value;
    }
    return made;
}

std::map<std::uint64_t, Words> InitialValues::words_of(const Variable& array,
                                                       std::uint64_t instance) const {
    const Memory& memory = family_.memories[array.state->memory];
    const std::size_t size = memory.element->size();
    std::map<std::uint64_t, Words> made;
    if (memory.initial.empty())
        return made;
    const std::size_t all = size * memory.words;
    const std::byte* at =
        memory.initial.data() + (memory.initial.size() == all ? 0 : (first_ + instance) * all);
    for (std::uint64_t word = 0; word < memory.words; ++word, at += size)
        if (Words bits = packed_slot(*memory.element, at); !is_zero(bits))
            made[word] = std::move(bits);
    return made;
}

} // namespace sme::hdl
