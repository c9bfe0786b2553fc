// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "mpi/connection.hpp"

namespace sme::cli {

/// Connects to the other ranks if `mpirun` has started several. Returns null, with exit code 0, if
/// this command runs alone, and null, with another exit code, after it has reported an error: also
/// for an option that is not available on several ranks. Other ranks than 0 print nothing from now
/// on.
std::unique_ptr<mpi::Connection> connect_ranks(const Options& options, int& exit_code);

/// On every rank: false if one of them could not load the network; rank 0 reports which.
bool all_loaded(mpi::Connection& ranks, bool loaded);

/// The command on other ranks than 0: runs their share until rank 0 has finished.
int follow_run(const Options& options, const Loaded& loaded, mpi::Connection& ranks);

} // namespace sme::cli
