// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/program/program.hpp"

namespace sme::expr {

/// A value that a check looks at, for reports of failures.
struct Operand {
    std::string text; // as it was written: "total.value"
    TypeRef type;
    std::vector<NodeId> leaves;
};

/// "a then b in first to last": cycles after one in which a holds, one of which b must hold in.
struct Sequence {
    NodeId then = no_node;   // b; no_node: the check is about a alone
    std::uint64_t first = 1; // 1 ... last
    std::uint64_t last = 1;
    explicit operator bool() const { return then != no_node; }
};

/// One check as it was written.
struct Check {
    enum class Kind : std::uint8_t { always, never, at, after, eventually, cover };
    Kind kind = Kind::always;
    std::uint64_t cycle = 0; // of at, after and eventually
    NodeId condition = no_node;
    Sequence sequence;
    std::vector<Operand> operands;
    std::string text;  // "always: a == b", for reports
    std::string owner; // the process or instance of a component that it belongs to; or empty
    Location where;
    bool reads_wire = false; // then it has no value in the cycle after the last
};

/// All checks of a network. The results of the program's part are, check by check, the condition
/// and, of a sequence, what follows it. What `past` remembers are memories of the observer.
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
    std::uint64_t halt_after = 0; // rows, with the last of which the run ends; 0: it does not
};

} // namespace sme::expr
