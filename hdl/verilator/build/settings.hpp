// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/program.hpp"
#include "sme/verilog.hpp"

namespace sme::verilator {

/// With what, and where, modules are built.
struct Settings {
    std::string verilator;                     // the path of the program; empty: there is none
    std::string compiler;                      // of C++
    std::string folder;                        // where built modules are kept; empty: nowhere
    bool may_build = true;                     // whether programs may be started
    bool may_run = true;                       // whether what was built may be loaded
    std::string forbidden_by = "--no-compile"; // when programs may not be started, or modules run
    bool savable = false;                      // modules are to be saved in checkpoints
    unsigned jobs = 2;                         // compilers at a time
    /// Programs that were started are stopped soon after this becomes true; never, when it is null.
    const std::atomic<bool>* unwanted = nullptr;
    /// What Verilator may take while it reads a module. Its `unwanted` does not count.
    ProgramLimit reading = {};
    /// Told which files are read that a network does not name itself.
    std::function<void(const std::string&)> reads = {};
    /// Told what takes time, as in "verilating 'top'", before a program is started for it.
    std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Those of a program in C++.
Settings settings_of(const VerilogTools& tools);

/// What Verilator may take where a network is only looked at, whoever wrote it.
constexpr ProgramLimit looking_limit{.seconds = 120,
                                     .memory_bytes = std::uint64_t{4} << 30,
                                     .file_bytes = std::uint64_t{256} << 20,
                                     .output_bytes = std::size_t{16} << 20};

/// Runs a program of those, which is stopped when it is not wanted any more, or took more than the
/// limit: that is its problem.
ProgramEnd run_tool(const Settings& settings, const std::string& path,
                    const std::vector<std::string>& arguments, ProgramStreams streams,
                    ProgramLimit limit = {});

} // namespace sme::verilator
