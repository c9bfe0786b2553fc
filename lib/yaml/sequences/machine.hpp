// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// The state machine that a sequence becomes, as states, lets and a block of a step:
///
///   at        the item of this cycle: an enumeration. It is a let if cycles begin with decisions
///   at.entry  then: the item or decision that the cycle begins with
///   at.count  how long the item has lasted, for those that count cycles
///   at.done0  the first port of an item with several is done, and so on
///   k         the index of a loop; if decisions change it, a let, and the state is k.entry
///
/// The members are names inside the process, "at:wait_start".
struct SequenceMachine {
    struct State {
        std::string name;
        TypeRef type;
        std::uint64_t initial = 0;
        Location where;
        bool generated = true; // may be unused
    };
    TypeRef type, entry; // of `at` and of `at.entry`
    std::vector<State> states;
    std::vector<expr::LetText> lets;
    expr::Block block;
};

/// `text`: the process with its ports and states. `taken`: the names in it, to which those of loop
/// indices are added. `nullopt` after an error was reported.
std::optional<SequenceMachine> machine_of(const BodySyntax& body, const Location& where,
                                          const expr::ProcessView& text, Context& context,
                                          std::set<std::string>& taken);

} // namespace sme::yaml
