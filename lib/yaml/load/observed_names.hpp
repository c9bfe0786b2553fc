// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Adds the names that checks read: the checks of a process see its lets and states directly.
void add_names(const ChecksSyntax& checks, std::set<std::string>& names);

/// Adds the members that a file observes in its processes, from outside: `count` in
/// "fifo.count <= 8". They are behind a dot in checks and in recordings.
void add_observed_members(const FileSyntax& file, std::set<std::string>& members);

} // namespace sme::yaml
