// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/observer.hpp"

namespace sme::validator {

/// The judge's data on a family of buses.
struct BusPlan {
    const BusFamily* bus;
    std::vector<Leaf> leaves;
    std::size_t slot_bytes; // with marks and padding
    std::size_t marks;      // offset of the marks; 0: no marks
};

/// One port of one instance: its bus, and the position of its slot.
struct SlotAt {
    const BusPlan* plan;
    std::uint64_t element;
    std::size_t offset;
};

/// The step that writes some fields of a wire.
struct WireWriter {
    std::uint32_t family;
    std::uint64_t position;
    std::uint32_t port;
};

/// The connections of a run, derived only from the network and from the slot offsets of the run.
/// Shares nothing with the engine's own derivation.
class Wiring {
public:
    explicit Wiring(const Audited& run);

    const Graph& graph() const { return graph_; }
    const Audited& run() const { return run_; }
    SlotAt slot(std::uint32_t family, std::uint32_t port, std::uint64_t position) const;
    /// Returns the writer of a bus element; `nullopt` if no process writes it.
    const std::optional<WireWriter>& writer(std::uint64_t element) const {
        return writers_[element];
    }
    const BusPlan& plan_of(std::uint64_t element) const;
    /// Returns the offset from which readers read an element.
    std::size_t read_offset(std::uint64_t element) const;
    /// Returns the offset that its writer writes; the read offset if no process writes it.
    std::size_t written_offset(std::uint64_t element) const;
    /// Returns the element whose slot holds a byte of an arena; `nullopt` between slots.
    std::optional<std::uint64_t> element_at(std::size_t offset) const;

    std::uint64_t instance(std::uint32_t family, std::uint64_t position) const {
        return static_cast<std::uint64_t>(run_.order(family).at(position));
    }
    std::string process_name(std::uint32_t family, std::uint64_t position) const {
        return graph_.processes[family].instance_name(instance(family, position));
    }

private:
    void find_writers();

    const Audited& run_;
    const Graph& graph_;
    std::vector<BusPlan> plans_; // by bus family
    std::vector<std::optional<WireWriter>> writers_;
};

} // namespace sme::validator
