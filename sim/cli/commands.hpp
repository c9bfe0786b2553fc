// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "cli/loading.hpp"
#include "cli/options.hpp"

namespace sme::cli {

/// Each function carries out one command and returns its exit code.
int new_command(const Options& options);
int run_command(const Options& options);
int check_command(const Options& options);
int fifos_command(const Options& options);
int graph_command(const Options& options);
int debug_command(const Options& options);
int diff_command(const Options& options);
int explain_command(const Options& options);
int schema_command(const Options& options);
int completion_command(const Options& options);
int man_command(const Options& options);
int predict_command(const Options& options);
int cosim_command(const Options& options);
int view_command(const Options& options);
int validate_command(const Options& options);
int verilog_command(const Options& options);
int vhdl_command(const Options& options);

/// Runs a loaded network as 'sme run' does. `loading` is the time that loading took. `cycles`, if
/// not null, receives the number of cycles that began.
int run_loaded(const Options& options, const Loaded& loaded, std::chrono::nanoseconds loading,
               std::uint64_t* cycles = nullptr);

} // namespace sme::cli
