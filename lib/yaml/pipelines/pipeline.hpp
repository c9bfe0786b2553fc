// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "yaml/scope/context.hpp"
#include "yaml/sequences/addition.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Returns the registers, lets and lines of a pipeline:
///
///   p         a value of a stage, a let
///   p.2       the same value in stage 2, a state, where the stages are counted from 0
///   x.2       the same, of the data of the input
///   stage.2   stage 2 has an item
///   go.2      what stage 2 has moves on, or it has nothing
///
/// `text`: the process with its ports and states. `taken`: the names in it, to which those of the
/// pipeline are added. `nullopt` after an error was reported.
std::optional<ProcessAddition> pipeline_of(const BodySyntax& body, const expr::ProcessView& text,
                                           Context& context, std::set<std::string>& taken);

} // namespace sme::yaml
