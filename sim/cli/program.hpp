// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sme::cli {

/// The path of a program in the folders of PATH; nothing when it is in none of them.
std::optional<std::string> find_program(const std::string& name);

/// How a program ended.
struct ProgramEnd {
    int exit_code = 0;   // 128 + number: ended by a signal
    std::string output;  // what it wrote to standard output, when that was asked for
    std::string problem; // why it could not be started or listened to; empty when it could
};

/// Runs a program without a shell, and waits for it. Its standard error is ours. With `input` it
/// reads that from standard input, and what it prints is returned; without, it has our standard
/// input, and what it prints goes to standard error: it is no result of ours.
ProgramEnd run_program(const std::string& path, const std::vector<std::string>& arguments,
                       std::optional<std::string_view> input = std::nullopt);

} // namespace sme::cli
