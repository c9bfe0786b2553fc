// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "mpi/connection.hpp"

namespace sme::cli {

/// The other ranks of this run, if `mpirun` has started several. Null with exit code 0: there are
/// none; null with another one: an error was reported. What is not available with ranks is an
/// error. Other ranks than 0 are silent from now on.
std::unique_ptr<mpi::Connection> connect_ranks(const Options& options, int& exit_code);

/// On every rank: false if one of them could not load the network; rank 0 reports which.
bool all_loaded(mpi::Connection& ranks, bool loaded);

/// The command on other ranks than 0: runs their share until rank 0 has finished.
int follow_run(const Options& options, const Loaded& loaded, mpi::Connection& ranks);

} // namespace sme::cli
