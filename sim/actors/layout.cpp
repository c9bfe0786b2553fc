// SPDX-License-Identifier: Apache-2.0
#include "actors/layout.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace sme::actors {

namespace {

constexpr std::uint64_t line = 64; // bytes of a cache line

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) {
    return (bytes + to - 1) / to * to;
}

const BusFamily& bus_of(const Graph& graph, const Port& port) {
    return graph.family_of(static_cast<std::uint64_t>(port.buses.at(0)));
}

/// The output port whose value a process reads back at this port; `none` if there is no such port.
std::uint32_t written_at(const ProcessFamily& family, const Port& port) {
    for (std::uint32_t p = 0; p < family.ports.size(); ++p)
        if (family.ports[p].output && family.ports[p].name == port.name)
            return p;
    return none;
}

} // namespace

void Layout::Freed::operator()(std::byte* memory) const {
    ::operator delete (memory, std::align_val_t{line});
}

Layout::Layout(const Graph& graph, const std::vector<Plan>& plans, std::uint64_t seed) {
    for (const Plan& plan : plans)
        place(graph, graph.processes[plan.family]);
    for (Arena& arena : arenas_) {
        arena.reset(static_cast<std::byte*>(
            ::operator new (std::max(bytes_, line), std::align_val_t{line})));
        std::memset(arena.get(), 0, bytes_);
    }
    for (std::size_t k = 0; k < plans.size(); ++k) {
        fill(graph, graph.processes[plans[k].family], families_[k]);
        build(graph, graph.processes[plans[k].family], seed, families_[k]);
    }
}

/// Places states first, as one block. A port that is read back has the slot of the port that writes
/// it.
void Layout::place(const Graph& graph, const ProcessFamily& family) {
    Family made;
    made.ports.assign(family.ports.size(), none);
    std::uint64_t next = 0;
    const auto give = [&](std::uint32_t p) {
        const BusFamily& bus = bus_of(graph, family.ports[p]);
        next = round_up(next, bus.type->alignment());
        made.ports[p] = static_cast<std::uint32_t>(next);
        next += slot_size(bus);
    };
    for (const bool states : {true, false}) {
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            if (!family.ports[p].own && bus_of(graph, family.ports[p]).state == states)
                give(p);
        if (states)
            made.states = next;
    }
    for (std::uint32_t p = 0; p < family.ports.size(); ++p)
        if (family.ports[p].own)
            made.ports[p] = made.ports[written_at(family, family.ports[p])];
    made.stride = round_up(next, line);
    made.first = bytes_;
    bytes_ += made.stride * family.count;
    families_.push_back(std::move(made));
}

/// Fills in the initial states.
void Layout::fill(const Graph& graph, const ProcessFamily& family, Family& made) {
    for (std::uint32_t p = 0; p < family.ports.size(); ++p) {
        const Port& port = family.ports[p];
        const BusFamily& bus = bus_of(graph, port);
        if (!port.output || !bus.state || bus.initial.empty())
            continue;
        const std::size_t bytes = bus.type->size();
        for (std::uint64_t k = 0; k < family.count; ++k) {
            const auto element = static_cast<std::uint64_t>(port.buses.at(k)) - bus.first;
            const std::size_t from = bus.initial.size() == bytes ? 0 : element * bytes;
            std::memcpy(arenas_[0].get() + made.first + k * made.stride + made.ports[p],
                        bus.initial.data() + from, bytes);
        }
    }
}

void Layout::build(const Graph& graph, const ProcessFamily& family, std::uint64_t seed,
                   Family& made) {
    Build build{graph, family, Segments::identity(family.count), {}, {}, {}, seed};
    for (std::uint32_t p = 0; p < family.ports.size(); ++p)
        build.ports.push_back(
            {Segments::affine(family.count, static_cast<std::int64_t>(made.first + made.ports[p]),
                              static_cast<std::int64_t>(made.stride)),
             family.ports[p].buses});
    for (const Memory& memory : family.memories) {
        const std::size_t each = memory.words * memory.element->size();
        std::vector<std::byte> words(each * family.count, std::byte{0});
        if (!memory.initial.empty())
            for (std::uint64_t k = 0; k < family.count; ++k)
                std::memcpy(words.data() + k * each,
                            memory.initial.data() + (memory.initial.size() == each ? 0 : k * each),
                            each);
        build.memories.push_back({words.data(), memory.words, memory.element});
        memories_.push_back(std::move(words));
    }
    made.group = family.kind->build(build);
}

} // namespace sme::actors
