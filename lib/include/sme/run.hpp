// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "sme/simulator.hpp"

/// Runs as `sme run` carries them out: with native code, checkpoints, progress and a way to stop.
namespace sme {

/// How the processes of network files are stepped in a run. The values are the same.
enum class Execution : std::uint8_t {
    automatic,   ///< interpreted at once; native when a long run has compiled them meanwhile
    interpreted, ///< no compiler is started
    native,      ///< native from the first cycle on
};

/// How `run` goes about it.
struct RunOptions {
    Execution execution = Execution::automatic;
    /// Called between cycles, about 20 times a second and more often in the beginning, with the
    /// number of the next one, by the thread that called `run`. Returns whether the run goes on.
    /// Null: it does.
    std::function<bool(std::uint64_t cycle)> go_on = {};
    /// Saves the simulator in the file `checkpoint` whenever the number of the next cycle is a
    /// multiple of this, and where `go_on` stops the run; 0: never. The file can be loaded by
    /// `Simulator::load` and `sme run --resume`.
    std::uint64_t checkpoint_every = 0;
    std::string checkpoint = {};
    /// Takes what the caller should know of a run that goes on: native code cannot be made, or a
    /// checkpoint cannot be written. Called between cycles by the thread that called `run`. Null:
    /// the texts are dropped.
    std::function<void(const std::string& text)> note = {};
};

/// Why a run returned.
enum class RunEnd : std::uint8_t {
    completed,    ///< all cycles ran
    stopped,      ///< `go_on` said so; the simulator can run on
    halted,       ///< a process, or an input or output that was complete, ended it
    check_failed, ///< a check or a recorded output failed, or a judge found a violation
};

/// Runs at most so many cycles. Throws ModelFault and PlacementError as `Simulator::run` does;
/// CompileError as `compile` does when native code is asked for; std::logic_error when no cycle can
/// run, after `Simulator::finish` or after a run that threw something other than a ModelFault.
///
/// Checkpoints: throws CheckpointError before the first cycle when `checkpoint` is empty, when that
/// file cannot be opened, and when the simulator cannot be saved. A checkpoint that cannot be
/// written later does not end the run: `note` is told, and CheckpointError is thrown after the last
/// cycle unless a later one was written. Simulator::cycle and halted say how far it came then.
///
/// A simulator that is compiled stays so. Compilers that a run has started may go on, on threads of
/// their own, after it has returned, until the simulator is destroyed; the next run uses what they
/// made.
RunEnd run(Simulator& simulator, Cycles most, const RunOptions& options = {});

/// Native code cannot be made: `what()` says why.
class CompileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Compiles the processes of network files in a simulator with the system's C compiler ($CC, else
/// cc), and runs them so from the next cycle on, with the same bits. Compiled code is kept in the
/// user's cache and found there the next time. Processes in C++ and Verilog stay as they are. To be
/// called when all observers are attached: none can be attached afterwards. A simulator that is
/// compiled is left as it is. Throws CompileError when there is no compiler, when it fails, and
/// when an auditor judges the simulator; it goes on as it was then.
void compile(Simulator& simulator);

} // namespace sme
