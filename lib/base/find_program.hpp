// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace sme {

/// The path of a program in the folders of PATH; nothing when it is in none of them.
std::optional<std::string> find_program(const std::string& name);

/// The path of the program that runs; empty where the system does not say.
std::string running_program();

} // namespace sme
