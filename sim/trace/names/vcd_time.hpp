// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/graph.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/names/names.hpp"

namespace sme::trace {

/// A family of buses in a scope, or those elements of it that belong to the scope.
struct PlacedFamily {
    std::size_t family;
    std::string name;    // without the indices of elements; unique in the scope
    std::string own;     // the last part of its network name, unchanged
    std::uint64_t first; // the first of the `shape.count()` elements in this scope
    Shape shape;         // the indices of the elements in this scope
    bool open = false;   // a struct whose fields are in this scope, not in a scope of its own
};

/// A level of the name hierarchy: a bus "core.alu[2].carry" belongs to the scope "alu[2]" of
/// "core".
struct Scope {
    std::string name;
    std::string own;
    NameSet names;
    std::vector<PlacedFamily> families;
    std::vector<std::unique_ptr<Scope>> scopes;
    std::unordered_map<std::string, Scope*> scopes_by_own;
};

/// Builds the scope of the network, with the names of everything that may be traced.
Scope scope_tree(const Graph& graph, const Traced& traced);

enum class TimeUnit : std::uint8_t {
    seconds,
    milliseconds,
    microseconds,
    nanoseconds,
    picoseconds,
    femtoseconds,
};

/// The duration of one cycle, such as 10 ns.
struct ClockPeriod {
    std::uint64_t count = 10;
    TimeUnit unit = TimeUnit::nanoseconds;

    /// Converts picoseconds to the largest unit in which they are a whole number.
    static ClockPeriod of(std::uint64_t picoseconds);
};

/// Times in a file, in ticks of its timescale. Both halves of a cycle begin at a whole number of
/// ticks.
struct Timescale {
    /// `problem` receives the reason if the period cannot be used.
    static Timescale of(const ClockPeriod& period);

    std::string tick; // "1 ns" or "100 ps"
    std::uint64_t period_ticks = 0;
    std::string problem;

    std::uint64_t half_ticks() const { return period_ticks / 2; }
    /// The last cycle that begins before 2^63 ticks, the limit of times in readers.
    std::uint64_t last_cycle() const;
};

} // namespace sme::trace
