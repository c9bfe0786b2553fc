// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/program.hpp"
#include "network/verilog.hpp"
#include "sme/verilog.hpp"

namespace sme::verilator {

/// The programs, folders and limits for building modules.
struct Settings {
    std::string verilator;                     // the path of the program; empty: not installed
    std::string compiler;                      // C++ compiler
    std::string folder;                        // the cache of built modules; empty: no cache
    bool may_build = true;                     // whether programs may be started
    bool may_run = true;                       // whether built modules may be loaded
    std::string forbidden_by = "--no-compile"; // the option that forbids programs or modules
    bool savable = false;                      // modules must support checkpoints
    unsigned jobs = 2;                         // number of parallel compilers
    /// Stops started programs soon after this becomes true; never, if null.
    const std::atomic<bool>* unwanted = nullptr;
    /// The limits for Verilator when it reads a module. Ignores its `unwanted`.
    ProgramLimit reading = {};
    /// Called with each file that is read but not named by the network.
    std::function<void(const std::string&)> reads = {};
    /// Called before a program is started for slow work, with a text such as "verilating 'top'".
    std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Returns the settings of a C++ program.
Settings settings_of(const VerilogTools& tools);

/// The limits for Verilator when it inspects a network of unknown origin.
constexpr ProgramLimit looking_limit{.seconds = 120,
                                     .memory_bytes = std::uint64_t{4} << 30,
                                     .file_bytes = std::uint64_t{256} << 20,
                                     .output_bytes = std::size_t{16} << 20};

/// Runs one of these programs, and stops it if it is no longer wanted or exceeds the limit; the
/// result then has a problem.
ProgramEnd run_tool(const Settings& settings, const std::string& path,
                    const std::vector<std::string>& arguments, ProgramStreams streams,
                    ProgramLimit limit = {});

/// The files of `module` at compile time.
extern const char* const abi_text;
extern const char* const context_text;
extern const char* const module_abi_text;
extern const char* const hooks_text;
extern const char* const runtime_text;
extern const char* const verilated_text; // verilated_vcd_c.h
extern const char* const version_text;

/// Returns the hash of all: modules built with other files are unusable.
std::uint64_t texts_digest();

} // namespace sme::verilator
