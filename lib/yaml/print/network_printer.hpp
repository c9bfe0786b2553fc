// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// A network that was loaded into a scope without an error, as one YAML file that loads to the same
/// network when it stands in the working folder: its text normalised, all that it imports under
/// `files`, parameters with the values they have, what nothing uses left out. Printing what was
/// loaded from it gives the same bytes. Users ask for it by `LoadOptions::print`.
std::string print_network(const FileSyntax& file, Context& network);

} // namespace sme::yaml
