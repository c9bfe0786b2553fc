// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// Returns the path of a program found in PATH; `nullopt` if not found.
std::optional<std::string> find_program(const std::string& name);

/// Returns the path of the running program; empty if the system does not provide it.
std::string running_program();

/// The result of running a program.
struct ProgramEnd {
    int exit_code = 0;    // 128 + number if a signal ended it
    std::string output;   // its output, if captured
    std::string problem;  // why it could not be started or read; empty on success
    bool stopped = false; // stopped by its limit: time, output or `unwanted`

    bool good() const { return problem.empty() && exit_code == 0 && !stopped; }
};

/// How a program's streams are connected.
enum class ProgramStreams : std::uint8_t {
    ours, ///< our standard input; its output goes to our standard error, nothing is captured
    output_taken, ///< input from a text; standard output is captured, standard error is ours
    all_taken,    ///< input from a text; all output is captured
};

/// Limits of a program. A program that exceeds one is stopped with all programs that it started: by
/// SIGTERM, and a moment later by SIGKILL. It has its own process group.
struct ProgramLimit {
    double seconds = 0; // 0: never
    // Soon after this becomes true, the program is stopped.
    const std::atomic<bool>* unwanted = nullptr;
    int niceness = 0; // added to ours
    /// The signal that stops it in place of SIGTERM, once it is unwanted.
    const std::atomic<int>* signal = nullptr;
    std::uint64_t memory_bytes = 0; // limit for it and for each program it starts; 0: unlimited
    std::uint64_t file_bytes = 0;   // limit for each file that they write; 0: unlimited
    // It is stopped when its captured output exceeds this; 0: unlimited.
    std::size_t output_bytes = 0;
};

/// Runs a program without a shell and waits for it. May be called from several threads.
ProgramEnd run_program(const std::string& path, const std::vector<std::string>& arguments,
                       ProgramStreams streams, std::string_view input = {},
                       const ProgramLimit* limit = nullptr);

/// Kills all running programs that were started with a limit, with everything they started. A
/// signal handler may call it before the signal ends this process.
void kill_programs();

} // namespace sme
