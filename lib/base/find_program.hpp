// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace sme {

/// Returns the path of a program found in PATH; `nullopt` if not found.
std::optional<std::string> find_program(const std::string& name);

/// Returns the path of the running program; empty if the system does not provide it.
std::string running_program();

} // namespace sme
