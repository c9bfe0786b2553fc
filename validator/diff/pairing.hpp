// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diff/name_table.hpp"
#include "vcd/declarations.hpp"

namespace sme::validator {

/// The names to compare, and their names in the other file.
struct NameRules {
    std::vector<NameMap> maps; // for names of the second file; the first match applies
    std::vector<Glob> select;  // for names as in the first file; empty: all names
    std::vector<Glob> ignore;
};

/// A signal of the first file and the signal of the second with the same name.
struct Pair {
    std::uint32_t first;
    std::uint32_t second;
    std::uint32_t variable; // of the first file
    bool keeps_range;       // of that variable: others differ from it only in their ranges
};

/// The signals common to two files, in the order of the first; each pair once, regardless of its
/// number of names.
struct Pairing {
    std::vector<Pair> pairs;
    std::vector<std::string> only_first;
    std::vector<std::string> only_second; // by their names there
    std::vector<std::string> unlike;      // a sentence each: bits here, a real number there
    std::vector<std::string> widths;      // a sentence each: compared despite different widths
    // rules that match no name, as written
    std::vector<std::string> idle_select, idle_ignore, idle_maps;
};

/// Pairs signals by name. If several have one name, pairs them in order.
Pairing pair_signals(const vcd::Declarations& first, const vcd::Declarations& second,
                     const NameRules& rules);

/// Returns the map of a scope that gives most signals a partner, such as "TOP.top=top"; empty if no
/// map does.
std::string suggested_map(const vcd::Declarations& first, const vcd::Declarations& second);

/// Returns the name of a pair for reports.
std::string shown_name(const vcd::Declarations& first, const Pair& pair);

} // namespace sme::validator
