// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sme::cli {

/// Runs a program that reads a text from standard input and writes SVG to standard output. Returns
/// `nullopt` if it fails; `failed` is then the exit code: that of a signal, or the one that
/// `complain` returns for a problem.
std::optional<std::string> drawn_by(const std::string& program,
                                    const std::vector<std::string>& arguments,
                                    const std::string& text,
                                    int (*complain)(const std::string& problem), int& failed);

} // namespace sme::cli
