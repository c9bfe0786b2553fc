// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// How a program ended.
struct ProgramEnd {
    int exit_code = 0;    // 128 + number: ended by a signal
    std::string output;   // what it wrote, when that was asked for
    std::string problem;  // why it could not be started or listened to; empty when it could
    bool stopped = false; // it took too long, or was not wanted any more

    bool good() const { return problem.empty() && exit_code == 0 && !stopped; }
};

/// What a program reads and writes.
enum class ProgramStreams : std::uint8_t {
    ours,         ///< our standard input; what it prints goes to our standard error: no result
    output_taken, ///< reads a text; its standard output is returned, its standard error is ours
    all_taken,    ///< reads a text; all that it prints is returned
};

/// When a program is stopped that has not ended, with all programs that it started: by SIGTERM,
/// and a moment later by SIGKILL. It has a process group of its own.
struct ProgramLimit {
    double seconds = 0;                          // 0: never
    const std::atomic<bool>* unwanted = nullptr; // it is stopped soon after this becomes true
    int niceness = 0;                            // added to ours
    /// The signal that stops it instead of SIGTERM, once it is unwanted.
    const std::atomic<int>* signal = nullptr;
    std::uint64_t memory_bytes = 0; // that it, and each that it starts, may take; 0: any
    std::uint64_t file_bytes = 0;   // that a file which one of them writes may have; 0: any
    std::size_t output_bytes = 0;   // it is stopped when it printed more that is taken; 0: never
};

/// Runs a program without a shell, and waits for it. Several threads may.
ProgramEnd run_program(const std::string& path, const std::vector<std::string>& arguments,
                       ProgramStreams streams, std::string_view input = {},
                       const ProgramLimit* limit = nullptr);

/// Kills all programs that were started with a limit and run now, with all that they started. May
/// be called by a signal handler, before the signal ends this process.
void kill_programs();

} // namespace sme
