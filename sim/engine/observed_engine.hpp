// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/slots/arenas.hpp"
#include "engine/slots/layout.hpp"
#include "runtime/observer.hpp"

namespace sme::engine {

using Words = std::function<const std::byte*(std::uint32_t family, std::size_t memory,
                                             std::uint64_t instance)>;

/// An observer's view of an engine; with Audited, an auditor's view, which shows more.
template <class Seen = Observed> class ObservedEngine : public Seen {
public:
    ObservedEngine(const Graph& graph, const Layout& layout, Words words,
                   const MissingWires& missing)
        : graph_{graph}, layout_{layout}, words_{std::move(words)}, missing_{missing} {}
    const Graph& graph() const override { return graph_; }
    const Segments& slots(std::size_t bus_family) const override {
        return layout_.buses[bus_family].read;
    }
    const std::byte* memory(std::uint32_t family, std::size_t memory,
                            std::uint64_t instance) const override {
        return words_(family, memory, instance);
    }
    const MissingWires& missing() const override { return missing_; }

protected:
    const Layout& layout() const { return layout_; }

private:
    const Graph& graph_;
    const Layout& layout_;
    Words words_;
    const MissingWires& missing_;
};

class AuditedEngine final : public ObservedEngine<Audited> {
public:
    AuditedEngine(const Graph& graph, const Layout& layout, Words words,
                  const MissingWires& missing, const Arenas& arenas)
        : ObservedEngine{graph, layout, std::move(words), missing}, arenas_{arenas} {
        for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
            for (const Port& port : graph.processes[f].ports)
                ports_[f].push_back(layout.port_slots(graph, f, port).offsets);
    }
    const Segments& order(std::uint32_t family) const override { return layout().orders[family]; }
    const Segments& port_slots(std::uint32_t family, std::uint32_t port) const override {
        return ports_.at(family)[port];
    }
    std::size_t arena_bytes() const override { return layout().arena_bytes; }
    std::size_t wires_begin() const override { return layout().wires_begin; }
    std::array<Memory, 2> read_mappings() const override {
        return {Memory{arenas_.first() + arenas_.to_read(), arena_bytes()},
                Memory{arenas_.second() + arenas_.to_read(), arena_bytes()}};
    }

private:
    const Arenas& arenas_;
    std::map<std::uint32_t, std::vector<Segments>> ports_; // by family
};

} // namespace sme::engine
