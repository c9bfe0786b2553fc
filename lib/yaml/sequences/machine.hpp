// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "expr/process/process.hpp"
#include "yaml/sequences/addition.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Returns the state machine that a sequence becomes:
///
///   at        the item of this cycle: an enumeration. It is a let if cycles begin with decisions
///   at.entry  then: the item or decision that the cycle begins with
///   at.count  how long the item has lasted, for those that count cycles
///   at.done0  the first port of an item with several is done, and so on
///   k         the index of a loop; if decisions change it, a let, and the state is k.entry
///   p.a       a parameter of the procedure p; the same
///   p.from    the call that p returns to, if there are several
///   at.ended  of a test: all items are done
///   at.1      the same as `at`, of the first branch of a parallel item, and so on
///   at.1.ends the branch has ended, or ends in this cycle; at.1.all: so have the others
///
/// The members are names inside the process, "at:wait_start".
///
/// `text`: the process with its ports and states. `taken`: the names in it, to which those of loop
/// indices are added. `nullopt` after an error was reported.
std::optional<ProcessAddition> machine_of(const BodySyntax& body, const Location& where,
                                          const expr::ProcessView& text, Context& context,
                                          std::set<std::string>& taken);

} // namespace sme::yaml
