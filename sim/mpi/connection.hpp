// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/transport.hpp"

namespace sme::mpi {

/// This rank of a run that `mpirun` has started.
class Connection : public Transport {
public:
    /// Calls `lost` in a rank in which other ranks have not answered for this many seconds; 0:
    /// never.
    virtual void set_patience(double seconds, std::function<void()> lost) = 0;
    /// Ends all ranks with an exit code; does not return.
    [[noreturn]] virtual void end_all(int exit_code) = 0;
};

/// Loads the plug-in of an MPI and begins; the destructor ends. Null, with a problem, if that
/// fails. One per program.
std::unique_ptr<Connection> connect(const std::string& plugin, std::string& problem);

} // namespace sme::mpi
