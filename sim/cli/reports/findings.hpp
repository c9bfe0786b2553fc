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

/// Prints what the user should know of a run that goes on.
void print_note(const std::string& text);

/// Of standard output that cannot be written, for a reason that is an errno: says so, unless its
/// reader is gone, who has seen enough. The exit code.
int output_failed(int error);

/// The text that `complain` prints.
std::string complaint(Code code, std::string message);

} // namespace sme::cli
