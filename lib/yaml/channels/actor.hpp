// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// A port of an actor that is the end of a channel.
struct ActorPort {
    std::string name;
    Location where;
    bool output = false;
    expr::AstRef message; // its type
    /// Whether the port `NAME.closed` goes with it: of an output it says that the actor is done, of
    /// an input that whoever sends is.
    bool closes = false;
};

/// An actor as a process that steps in every cycle: it looks at `valid` of the channels that it
/// receives from and at `ready` of those that it sends to, and changes nothing in a cycle in which
/// it does not fire. `ports` are in the order of the file, `buses` the inputs that are buses.
/// Reports what is no actor; then the body is broken. `untimed`: its state `firing_state` says what
/// became of each step, and it may not rely on cycles.
BodySyntax process_of_actor(const BodySyntax& actor, const std::string& name, const Location& where,
                            const std::vector<ActorPort>& ports, const std::set<std::string>& buses,
                            bool untimed, Diagnostics& diagnostics);

} // namespace sme::yaml
