// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cli/commands/run_files.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "mpi/connection.hpp"
#include "session/run_digest.hpp"

namespace sme::cli {

/// Connects to the other ranks if `mpirun` has started several. Returns null, with exit code 0, if
/// this command runs alone, and null, with another exit code, after it has reported an error: also
/// for an option that is not available on several ranks.
std::unique_ptr<mpi::Connection> connect_ranks(const Options& options, int& exit_code);

/// On every rank: false if one of them could not load the network; rank 0 reports which.
bool all_loaded(mpi::Connection& ranks, bool loaded);

/// On every rank: false if one of them would not run what rank 0 runs; rank 0 reports the
/// difference.
bool all_equal(mpi::Connection& ranks, const session::RunDigest& digest);

/// Reads the file of --partition, if there is one, on every rank; before rank 0 may write it.
/// Returns an exit code.
int read_partition_file(const Options& options, bool alone, std::string& text);

/// The command on other ranks than 0: runs their share until rank 0 has finished.
int follow_run(const Options& options, const Loaded& loaded, const RunCheckpoints& checkpoints,
               const std::string& partition, mpi::Connection& ranks);

/// The exit code of rank 0, on every rank: `mpirun` may return that of any.
int agreed_exit_code(int code, Transport& ranks);

/// A line for --stats with the load of each rank. Every rank calls it; only that of rank 0 counts.
std::string rank_report(const engine::Engine& engine, Transport& ranks);

/// The process families of memories.
std::vector<std::uint32_t> families_of(const std::vector<trace::TracedWords>& memories);

} // namespace sme::cli
