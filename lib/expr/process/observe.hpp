// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/program/program.hpp"
#include "network/shape.hpp"

namespace sme::expr {

/// "a then b in first to last": after each cycle where a holds, b must hold in one of these cycles.
struct Temporal {
    NodeId then = no_node;   // b; no_node: the check has only a
    std::uint64_t first = 1; // 1 … last
    std::uint64_t last = 1;
    explicit operator bool() const { return then != no_node; }
};

/// One check as written.
struct Check {
    enum class Kind : std::uint8_t { always, never, at, after, eventually, cover };
    Kind kind = Kind::always;
    std::uint64_t cycle = 0; // for at, after and eventually
    NodeId condition = no_node;
    Temporal temporal;
    std::vector<Operand> operands;
    std::string text;  // "always: a == b", for reports
    std::string owner; // process or component instance that owns it, or empty
    Location where;
    bool reads_wire = false; // then it has no value in the cycle after the last one
    NodeId faults = no_node; // whether its evaluation faults in a cycle; no_node: it never does
    /// A check of many instances of a family at once: `condition` is that of all of them (`never`:
    /// of any), `owner` is the name of the family, and the operands are those of the first
    /// instance that fails.
    Shape instances = {};
    NodeId first = no_node;    // number of that instance; no_node: a check of one instance
    NodeId failures = no_node; // number of instances that fail

    /// Returns the number of instances.
    std::uint64_t count() const { return first == no_node ? 1 : instances.count(); }
    /// Returns the owner: of a check of many instances, instance `number`.
    std::string owner_of(std::uint64_t number) const {
        return first == no_node ? owner : instances.element_name(owner, number);
    }
};

/// All checks of a network. The results of the program's part are, for each check, the condition
/// and, for a temporal condition, its consequent. The values that `past` remembers are memories of
/// the observer.
struct CheckSet {
    Program program;
    std::vector<Check> checks;
};

/// A file of recorded rows. The program's results are the column values, followed by whether the
/// row is recorded.
struct Recording {
    std::string path;
    std::vector<std::string> columns;
    TypeRef type;                   // row type
    std::vector<const Type*> types; // column types: scalars of `type`
    bool reads_wire = false;
    Program program;
    Location where;

    bool has_expected = false;
    std::string expected_path;
    std::vector<std::vector<std::uint64_t>> expected; // rows of leaves, sign-extended
    std::uint64_t halt_after = 0; // the run ends after this many rows; 0: no limit
};

/// A value read in every cycle. The program's results are its leaves.
struct Probe {
    TypeRef type;
    bool reads_wire = false;
    std::uint64_t remembers = 0; // number of earlier cycles it may depend on
    Program program;
};

/// Ends the run after the first cycle in which the program's only result is true.
struct HaltCondition {
    Program program;
    bool reads_wire = false;
};

/// Actors, the channels between them, and the program results that describe their activity in a
/// cycle. The first result is true if nothing moves; in a network of actors alone, nothing moves
/// ever after. A result is `none` if it does not exist or was not requested.
struct ActorNetwork {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Actor {
        std::string name;
        std::uint32_t done = none;  // the actor is done; `none`: never
        std::uint32_t fires = none; // in this cycle
        std::uint32_t ends = none;  // done without firing: a message that it needs will not arrive
    };
    struct Channel {
        std::string name;
        Location declared;
        std::uint64_t depth = 0;                      // capacity; 0: wires
        std::uint64_t latency = 0;                    // cycles from send to receive
        std::uint64_t bits = 0;                       // message size
        std::uint32_t sender = none, receiver = none; // actors; none: files, or other processes
        std::uint32_t count = none;                   // number of messages in the channel
        std::uint32_t pushed = none;                  // a message is sent
        std::uint32_t popped = none;                  // a message is taken
        std::uint32_t offered = none;                 // a message is available
        std::uint32_t message = none; // first result of its scalars, one or more results each
        TypeRef type;                 // message type
    };
    /// An actor at one end of a channel.
    struct End {
        std::uint32_t actor = none;
        std::uint32_t channel = none;
        bool sends = false;
        std::uint32_t waits = none;  // waits for the other end
        std::uint32_t wanted = none; // the firing receives from it; `none`: every firing does
    };
    Program program;
    std::vector<Actor> actors;
    std::vector<Channel> channels;
    std::vector<End> ends;
    bool pure = true; // all processes are actors, and Kahn processes
    bool all_end = true;
    bool reads_wire = false;
    Location where;

    /// Returns the actor at the other end; none: a file, or another process.
    std::uint32_t other(const End& end) const {
        const Channel& channel = channels[end.channel];
        return end.sends ? channel.receiver : channel.sender;
    }
};

} // namespace sme::expr
