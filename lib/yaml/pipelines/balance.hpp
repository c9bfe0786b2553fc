// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "expr/process/process.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Returns the pipeline with more stages: one after the other, the stage with the longest path is
/// divided where the two parts are shortest. Lengths follow from operators and widths alone. An
/// input besides the item is read in the first part of its stage.
///
/// `text`: the process. `item`: the input by which items come, or empty. `taken`: the names in the
/// process.
PipelineSyntax balanced(const BodySyntax& body, unsigned more, const expr::ProcessView& text,
                        const std::string& item, Context& context,
                        const std::set<std::string>& taken);

} // namespace sme::yaml
