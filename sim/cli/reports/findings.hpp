// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace sme::cli {

/// Prints findings to standard error. On a terminal, mentions after an error how to learn more
/// about the first one.
void show(const Diagnostics& diagnostics);
void show(const std::vector<Diagnostic>& findings);

/// Prints an error without a location.
void complain(Code code, std::string message);

/// Prints a note; the run continues.
void print_note(const std::string& text);

/// Reports that standard output cannot be written, with the reason `error` (an errno), except on
/// EPIPE. Returns the exit code.
int output_failed(int error);

/// The text that `complain` prints.
std::string complaint(Code code, std::string message);

} // namespace sme::cli
