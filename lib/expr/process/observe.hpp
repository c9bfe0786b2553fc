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

/// The run ends after the first cycle in which the program's one result is true.
struct HaltCondition {
    Program program;
    bool reads_wire = false;
};

/// A network of actors alone, in which a cycle without a transfer is like all that follow it. The
/// program's results are whether nothing moves, then those that `waits` and `queues` name.
struct DeadlockCheck {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Actor {
        std::string name;
        std::uint32_t done = none; // the result; none: it never is
    };
    /// An actor at one end of a channel, waiting for the other end.
    struct Wait {
        std::uint32_t actor;
        std::uint32_t other; // none: a file
        std::uint32_t queue; // none: wires
        bool sends;
        std::string channel;
        Location declared;    // of the channel
        std::uint32_t result; // whether it waits
    };
    struct Queue {
        std::uint64_t depth;  // places
        std::uint32_t result; // messages in it
    };
    Program program;
    std::vector<Actor> actors;
    std::vector<Wait> waits;
    std::vector<Queue> queues;
    bool reads_wire = false;
    Location where;
};

} // namespace sme::expr
