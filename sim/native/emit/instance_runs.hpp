// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interpret/block/evaluator.hpp"
#include "sme/internal/group.hpp"

namespace sme::native {

/// The memory layout of the instances of a run, for which a kernel is written.
struct Pattern {
    enum class Kind : std::uint8_t {
        single, ///< one instance at a time
        line,   ///< all ports advance by a constant from instance to instance
        table,  ///< the offsets of all ports are listed
    };
    Kind kind = Kind::single;
    std::vector<std::int64_t> strides; // of a line: by map
    bool operator==(const Pattern&) const = default;
    auto operator<=>(const Pattern&) const = default;
};

/// Instances [first, end) of one pattern.
struct InstanceRun {
    std::uint64_t first;
    std::uint64_t end;
    std::uint32_t pattern;        // its number
    std::vector<std::int64_t> at; // by map, of the first instance
};

/// The instances of a family as one part sees them, cut where the stride of a used port changes.
/// Maps are the slots at each used port and, last, the instance number in source order (or the
/// position, in a part that does not use that number).
struct InstanceRuns {
    std::vector<std::uint32_t> ports; // used by the part, ascending
    std::vector<Pattern> patterns;
    std::vector<InstanceRun> runs; // in position order
    /// The run of every position that is a multiple of `near_positions`; empty for few runs.
    std::vector<std::uint32_t> near;
    static constexpr std::uint64_t near_positions = 16;
    /// By map and position: the offsets of irregular instances. Empty if there are no such
    /// instances.
    std::vector<std::vector<std::int64_t>> tables;

    /// The index of a port among the maps.
    std::size_t map_of(std::uint32_t port) const;
    /// The run that holds a position.
    std::size_t at(std::uint64_t position) const {
        std::size_t run = near.empty() ? 0 : near[position / near_positions];
        while (runs[run].end <= position)
            ++run;
        return run;
    }

    /// As InstanceRun::at, for another instance of that run.
    std::vector<std::int64_t> at_position(const InstanceRun& run, std::uint64_t position) const;

    static InstanceRuns of(const expr::Program& program, const expr::PartProgram& part,
                           const interpret::SlotMap& places);
};

} // namespace sme::native
