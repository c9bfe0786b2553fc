// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_access.hpp"
#include "cli/loading.hpp"

namespace sme::cli {

/// Kinds of output files. Each kind recognises an existing file of its own by the file's beginning.
FileAccess::WriteRequest trace_file(std::string path);
FileAccess::WriteRequest results_file(std::string path);
FileAccess::WriteRequest report_file(std::string path);
FileAccess::WriteRequest junit_file(std::string path);
/// As JSON, or for lcov.
FileAccess::WriteRequest coverage_file(std::string path);
/// WaveJSON, or SVG.
FileAccess::WriteRequest wavedrom_file(std::string path);
FileAccess::WriteRequest profile_file(std::string path);
FileAccess::WriteRequest schedule_file(std::string path);
/// May replace the checkpoint that the run resumes.
FileAccess::WriteRequest checkpoint_file(std::string path, const std::string& resumed);
FileAccess::WriteRequest c_file(std::string path);
/// DOT, or SVG.
FileAccess::WriteRequest graph_file(std::string path);
/// A table, or an SVG.
FileAccess::WriteRequest front_file(std::string path);
FileAccess::WriteRequest histories_file(std::string path);
FileAccess::WriteRequest patch_file(std::string path);
/// A module or a test bench, values (.hex), or a list of files (.f).
FileAccess::WriteRequest verilog_file(const std::string& path);
/// Like `verilog_file`, for VHDL.
FileAccess::WriteRequest vhdl_file(const std::string& path);
/// Where the buses and states of a network are in its hardware.
FileAccess::WriteRequest names_file(std::string path);
/// A copy of a module that is a process.
FileAccess::WriteRequest verilog_copy(std::string path);

/// The files that a command with these options may read and write, before it reads its network.
std::shared_ptr<FileAccess> file_access(const Options& options);

/// The file that --emit-c writes.
std::string c_path(const Options& options, const Loaded& loaded);

/// Claims every file that a run writes, with its waveform at `trace` (empty: no waveform). Returns
/// `fine`, or the exit code after reporting a file that may not be written.
int claim_outputs(const Options& options, const Loaded& loaded, const std::string& trace);

/// Claims one output file of a command, in the same way.
int claim_output(FileAccess& files, const FileAccess::WriteRequest& wish);

} // namespace sme::cli
