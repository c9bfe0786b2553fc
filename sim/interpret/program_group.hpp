// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "expr/program.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// The kind of a YAML process: steps its program with the interpreter. The program's parts are
/// those of the process family, in order; a commit part may follow them.
std::shared_ptr<const Kind> program_kind(std::shared_ptr<const expr::Program> program);

} // namespace sme::interpret
