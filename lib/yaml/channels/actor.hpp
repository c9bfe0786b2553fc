// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// A port of an actor that is an end of a channel.
struct ActorPort {
    std::string name;
    Location where;
    bool output = false;
    expr::AstRef message; // message type
    /// True if the port comes with `NAME.closed`: on an output it tells that the actor is done, on
    /// an input that the sender is done.
    bool closes = false;
};

/// Turns an actor into a process that steps in every cycle. It reads `valid` of its input channels
/// and `ready` of its output channels, and keeps its state in cycles in which it does not fire.
/// `ports` are in file order; `buses` are the inputs that are buses. Reports an invalid actor; its
/// body is then broken. `untimed`: the state `firing_state` records the result of each step, and
/// the actor must not depend on cycles.
BodySyntax process_of_actor(const BodySyntax& actor, const std::string& name, const Location& where,
                            const std::vector<ActorPort>& ports, const std::set<std::string>& buses,
                            bool untimed, Diagnostics& diagnostics);

} // namespace sme::yaml
