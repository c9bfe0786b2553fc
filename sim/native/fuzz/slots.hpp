// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "runtime/observer.hpp"

namespace sme::fuzz {

/// The bytes of the slots of all bus elements, in order: values, and marks if later cycles depend
/// on them.
std::string slots_of(const engine::Engine& engine, const Graph& graph);

/// The first difference of two such texts: the bus and both values; empty if equal.
std::string slot_difference(const Graph& graph, const std::string& found,
                            const std::string& expected);

/// Records the slots of every cycle, as its readers see them.
class Watcher final : public Observer {
public:
    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t) override {}

    struct Cycle {
        std::string slots;
        bool wires_settled;
    };
    const std::vector<Cycle>& cycles() const { return cycles_; }

private:
    struct Slot {
        std::int64_t offset;
        std::size_t bytes;
    };
    std::vector<Slot> slots_;
    std::vector<Cycle> cycles_;
};

} // namespace sme::fuzz
