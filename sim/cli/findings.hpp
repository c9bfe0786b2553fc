// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace sme::cli {

/// Prints findings to standard error; below errors, on a terminal, how to learn more about the
/// first.
void show(const Diagnostics& diagnostics);
void show(const std::vector<Diagnostic>& findings);

/// Prints an error that has no place in a file.
void complain(Code code, std::string message);

/// The text that `complain` prints.
std::string complaint(Code code, std::string message);

} // namespace sme::cli
