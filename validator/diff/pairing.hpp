// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diff/glob.hpp"
#include "vcd/declarations.hpp"

namespace sme::validator {

/// Which names are compared, and what they are called in the other file.
struct NameRules {
    std::vector<NameMap> maps; // of names of the second file; the first that fits
    std::vector<Glob> select;  // of names as in the first file; none: all
    std::vector<Glob> ignore;
};

/// A signal of the first file and the one of the second that has the same name.
struct Pair {
    std::uint32_t first;
    std::uint32_t second;
    std::uint32_t variable; // of the first file
    bool keeps_range;       // of that variable: others differ from it in their ranges only
};

/// The signals that two files have in common, in the order of the first, each pair once, however
/// many names it has.
struct Pairing {
    std::vector<Pair> pairs;
    std::vector<std::string> only_first;
    std::vector<std::string> only_second; // by their own names
    std::vector<std::string> unlike;      // a sentence each: bits here, a real number there
    std::vector<std::string> widths;      // a sentence each: compared, but not of one width
    // what of the rules fits no name, as it is written
    std::vector<std::string> idle_select, idle_ignore, idle_maps;
};

/// Pairs by name. Of several of one name, the first belongs to the first, and so on.
Pairing pair_signals(const vcd::Declarations& first, const vcd::Declarations& second,
                     const NameRules& rules);

/// "TOP.top=top", the map of a scope that gives most signals a partner; empty when none does.
std::string suggested_map(const vcd::Declarations& first, const vcd::Declarations& second);

/// The name of a pair in what is reported.
std::string shown_name(const vcd::Declarations& first, const Pair& pair);

} // namespace sme::validator
