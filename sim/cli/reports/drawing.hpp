// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sme::cli {

/// The SVG that another program draws of a text: from its standard input to its standard output.
/// Nothing when it does not; `failed` is the exit code then, that of a signal or the one that
/// `complain` returns for a problem.
std::optional<std::string> drawn_by(const std::string& program,
                                    const std::vector<std::string>& arguments,
                                    const std::string& text,
                                    int (*complain)(const std::string& problem), int& failed);

} // namespace sme::cli
