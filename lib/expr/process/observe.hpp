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

/// A value that is wanted of every cycle. The program's results are its leaves.
struct Probe {
    TypeRef type;
    bool reads_wire = false;
    std::uint64_t remembers = 0; // cycles before its own that it may depend on
    Program program;
};

/// The run ends after the first cycle in which the program's one result is true.
struct HaltCondition {
    Program program;
    bool reads_wire = false;
};

/// Actors, the channels between them, and the results of a program that say in a cycle what they
/// do. The first result is whether nothing moves: in a network of actors alone, then nothing ever
/// will. A result is `none` where there is nothing of the kind, or where nobody asked for it.
struct ActorNetwork {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Actor {
        std::string name;
        std::uint32_t done = none;  // it has ended; `none`: it never does
        std::uint32_t fires = none; // in this cycle
        std::uint32_t ends = none;  // without firing: a message that it needs will not come
    };
    struct Channel {
        std::string name;
        Location declared;
        std::uint64_t depth = 0;   // places; 0: wires
        std::uint64_t latency = 0; // cycles after which what is sent can be received
        std::uint64_t bits = 0;    // of a message
        std::uint32_t sender = none, receiver = none; // actors; none: files, or other processes
        std::uint32_t count = none;                   // messages in it
        std::uint32_t pushed = none;                  // one is sent
        std::uint32_t popped = none;                  // one is taken
        std::uint32_t offered = none;                 // one can be received
        std::uint32_t message = none; // the first of its scalars, each of a result or several
        TypeRef type;                 // of a message
    };
    /// An actor at one end of a channel.
    struct End {
        std::uint32_t actor = none;
        std::uint32_t channel = none;
        bool sends = false;
        std::uint32_t waits = none;  // for the other end
        std::uint32_t wanted = none; // whether the firing receives from it; `none`: each does
    };
    Program program;
    std::vector<Actor> actors;
    std::vector<Channel> channels;
    std::vector<End> ends;
    bool pure = true; // there are no processes but actors, and these are Kahn processes
    bool all_end = true;
    bool reads_wire = false;
    Location where;

    /// The actor at the other end; none: a file, or another process.
    std::uint32_t other(const End& end) const {
        const Channel& channel = channels[end.channel];
        return end.sends ? channel.receiver : channel.sender;
    }
};

} // namespace sme::expr
