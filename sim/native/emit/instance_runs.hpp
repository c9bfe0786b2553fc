// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interpret/block/evaluator.hpp"
#include "sme/group.hpp"

namespace sme::native {

/// How the instances of a run lie in memory: what a kernel is made for.
struct Pattern {
    enum class Kind : std::uint8_t {
        single, ///< one instance at a time
        line,   ///< all ports advance by a constant from instance to instance
        table,  ///< the places of all ports are listed
    };
    Kind kind = Kind::single;
    std::vector<std::int64_t> strides; // of a line: of each map
    bool operator==(const Pattern&) const = default;
    auto operator<=>(const Pattern&) const = default;
};

/// Instances [first, end) of one pattern.
struct InstanceRun {
    std::uint64_t first;
    std::uint64_t end;
    std::uint32_t pattern;        // number of it
    std::vector<std::int64_t> at; // of each map, of the first instance
};

/// The instances of a family as one part sees them, cut where a port it uses goes on elsewhere.
/// Maps are the slots at each port that the part uses and, last, the instance in source order (of a
/// part that does not ask for it: the position).
struct InstanceRuns {
    std::vector<std::uint32_t> ports; // that the part uses, ascending
    std::vector<Pattern> patterns;
    std::vector<InstanceRun> runs; // in the order of positions
    /// Of each map and position: where irregular instances lie. Empty where there are none.
    std::vector<std::vector<std::int64_t>> tables;

    /// The place of a port among the maps.
    std::size_t map_of(std::uint32_t port) const;
    /// The run that holds a position.
    std::size_t at(std::uint64_t position) const;

    static InstanceRuns of(const expr::Program& program, const expr::PartProgram& part,
                           const interpret::SlotMap& places);
};

} // namespace sme::native
