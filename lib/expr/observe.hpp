// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/program.hpp"

namespace sme::expr {

/// One check as it was written; its condition is a result of the checks' program.
struct Check {
    enum class Kind : std::uint8_t { always, never, at, after, eventually, cover };
    Kind kind = Kind::always;
    std::uint64_t cycle = 0; // of at, after and eventually
    std::string text;        // "always: a == b", for reports
    std::string owner;       // the process or instance of a component that it belongs to; or empty
    Location where;
    bool reads_wire = false; // then it has no value in the cycle after the last
};

/// All checks of a network; check k's condition is result k.
struct CheckSet {
    Program program;
    std::vector<Check> checks;
};

/// A file of recorded rows. The program's results are the columns' values and then
/// whether the row is recorded.
struct Recording {
    std::string path;
    std::vector<std::string> columns;
    TypeRef type;                   // of a row
    std::vector<const Type*> types; // of the columns: scalars of `type`
    bool reads_wire = false;
    Program program;
    Location where;

    bool has_expected = false;
    std::string expected_path;
    std::vector<std::vector<std::uint64_t>> expected; // rows of leaves, sign-extended
};

} // namespace sme::expr
