// SPDX-License-Identifier: Apache-2.0
#include "sme/run.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/access.hpp"
#include "session/run_loop.hpp"
#include "session/system_compiler.hpp"

namespace sme {

namespace {

using Note = std::function<void(const std::string& text)>;

/// The native code of a simulator, stored in the simulator.
session::NativeRun& native_of(Simulator& simulator, const Note& note) {
    std::shared_ptr<void>& used = SimulatorAccess::used(simulator);
    if (!used)
        used = std::make_shared<session::NativeRun>(SimulatorAccess::graph(simulator),
                                                    SimulatorAccess::engine(simulator),
                                                    session::NativeSettings{});
    auto& native = *static_cast<session::NativeRun*>(used.get());
    native.go_on(note);
    return native;
}

void compile(Simulator& simulator, const Note& note) {
    if (SimulatorAccess::is_judged(simulator))
        throw CompileError{"a simulator with an auditor steps each process by itself, interpreted"};
    if (const std::string why = session::missing_compiler(); !why.empty())
        throw CompileError{why};
    if (const std::string problem = native_of(simulator, note).compile(); !problem.empty())
        throw CompileError{fmt::format("native code cannot be made: {}", problem)};
}

/// Throws if the simulator ran fewer cycles than requested and the run has no reason to end.
RunEnd end_of(const engine::Engine& engine, std::uint64_t until) {
    switch (engine.ending()) {
    case engine::Ending::halted: return RunEnd::halted;
    case engine::Ending::check_failed: return RunEnd::check_failed;
    case engine::Ending::interrupted: return RunEnd::stopped;
    case engine::Ending::completed:
    case engine::Ending::faulted: break;
    }
    if (engine.cycle() < until)
        throw std::logic_error{
            fmt::format("a simulator that has finished, or of which a run failed, runs no more "
                        "cycles; it has run {}",
                        engine.cycle())};
    return RunEnd::completed;
}

} // namespace

void compile(Simulator& simulator) {
    compile(simulator, {});
}

RunEnd run(Simulator& simulator, Cycles most, const RunOptions& options) {
    engine::Engine& engine = SimulatorAccess::engine(simulator);
    if (options.checkpoint_every > 0) {
        if (options.checkpoint.empty())
            throw CheckpointError{fmt::format("a run is saved every {} cycles, but no file is "
                                              "named; set RunOptions::checkpoint",
                                              options.checkpoint_every)};
        SimulatorAccess::check_savable(simulator);
    }
    if (options.execution == Execution::native)
        compile(simulator, options.note);
    session::Checkpoints checkpoints{
        options.checkpoint_every, options.checkpoint, {}, options.note};
    session::BetweenSlices between;
    if (options.go_on)
        between.look = [&] { return options.go_on(engine.cycle()); };
    between.checkpoints = &checkpoints;
    if (options.execution == Execution::automatic && !SimulatorAccess::is_judged(simulator))
        between.native = &native_of(simulator, options.note);
    const std::uint64_t until = engine.cycle() + std::min(most.count, ~engine.cycle());
    const bool stopped = !session::run_until(engine, until, between);
    simulator.run(Cycles{0}); // throws the fault, if any
    const RunEnd end = stopped ? RunEnd::stopped : end_of(engine, until);
    checkpoints.after(engine);
    if (!checkpoints.problem().empty())
        throw CheckpointError{checkpoints.problem()};
    return end;
}

} // namespace sme
