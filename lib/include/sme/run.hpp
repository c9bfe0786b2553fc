// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "sme/results.hpp"
#include "sme/simulator.hpp"

/// Runs a simulator as `sme run` does: with native code, checkpoints, progress and a way to stop.
namespace sme {

/// How the processes of network files are executed. All produce the same values.
enum class Execution : std::uint8_t {
    automatic,   ///< starts interpreted; a long run becomes native when the code is compiled
    interpreted, ///< starts no compiler
    native,      ///< native from the first cycle
};

/// Options of `run`.
struct RunOptions {
    Execution execution = Execution::automatic;
    /// Called between cycles by the thread that called `run`, about 20 times a second and more
    /// often at the beginning, with the number of the next cycle. Returns whether to continue.
    /// Null: always continue.
    std::function<bool(std::uint64_t cycle)> go_on = {};
    /// Saves the simulator in the file `checkpoint` whenever the number of the next cycle is a
    /// multiple of this, and when `go_on` stops the run. 0: never. `Simulator::load` and `sme run
    /// --resume` load the file.
    std::uint64_t checkpoint_every = 0;
    std::string checkpoint = {};
    /// Receives messages about problems that do not end the run: native code cannot be built, or a
    /// checkpoint cannot be written. Called between cycles by the thread that called `run`. Null:
    /// the texts are dropped.
    std::function<void(const std::string& text)> note = {};
};

/// Runs at most `most` cycles. Returns neither `faulted` nor `deadlocked`: throws ModelFault and
/// PlacementError like `Simulator::run`; CompileError like `compile` if native code is requested;
/// std::logic_error if no cycle can run: after `Simulator::finish`, or after a run that threw
/// anything but a ModelFault.
///
/// Checkpoints: throws CheckpointError before the first cycle if `checkpoint` is empty, the file
/// cannot be opened, or the simulator cannot be saved. A later checkpoint that cannot be written
/// does not end the run: it is reported to `note`, and CheckpointError is thrown after the last
/// cycle unless a subsequent checkpoint succeeded. Simulator::cycle and halted then tell how far
/// the run came.
///
/// A compiled simulator stays compiled. Compilers started by a run may continue on their own
/// threads after it has returned, until the simulator is destroyed; the next run uses their
/// results.
RunEnd run(Simulator& simulator, Cycles most, const RunOptions& options = {});

/// Native code cannot be built; `what()` gives the reason.
class CompileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Compiles the processes of network files in a simulator with the system's C compiler ($CC, else
/// cc), and runs the compiled code from the next cycle on, with the same results. Compiled code is
/// cached in the user's cache folder for later runs. Processes in C++ and Verilog do not change.
/// Attach all observers before this call. Does nothing if the simulator is already compiled. Throws
/// CompileError if there is no compiler, it fails, or the simulator has an auditor; the simulator
/// then continues as before.
void compile(Simulator& simulator);

} // namespace sme
