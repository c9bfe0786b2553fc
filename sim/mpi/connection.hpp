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
    /// Ends all ranks with an exit code; does not return.
    [[noreturn]] virtual void end_all(int exit_code) = 0;
};

/// How long a rank waits for the others, at the start and at the end of MPI, too.
struct Patience {
    double seconds; ///< 0: for ever
    /// Reports that another rank has not answered for this time, on any thread; all ranks end then.
    std::function<void()> report;
    int exit_code;
};

/// Loads the plug-in of an MPI and begins; the destructor ends. Null, with a problem, if that
/// fails. One per program.
std::unique_ptr<Connection> connect(const std::string& plugin, Patience patience,
                                    std::string& problem);

} // namespace sme::mpi
