// SPDX-License-Identifier: Apache-2.0
#include "session/run_loop.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/engine.hpp"
#include "engine/feeder.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/actor_observers.hpp"
#include "interpret/observers/checks.hpp"
#include "interpret/observers/recorder.hpp"
#include "runtime/clock.hpp"
#include "session/checkpoints.hpp"
#include "session/native_run.hpp"
#include "session/run/run.hpp"
#include "sme/run.hpp"

namespace sme::session {

namespace {

/// The number of cycles per slice.
class Slices {
public:
    std::uint64_t cycles() const { return cycles_; }
    /// Call after each slice and the work that follows it.
    void adapt() {
        constexpr double least_s = 0.025, max_s = 0.1;
        constexpr std::uint64_t max_cycles = std::uint64_t{1} << 40;
        const Clock::time_point now = Clock::now();
        const double s = seconds_of(now - last_);
        last_ = now;
        if (s < least_s)
            cycles_ = std::min(cycles_ * 2, max_cycles);
        else if (s > max_s)
            cycles_ = std::max<std::uint64_t>(cycles_ / 2, 1);
    }

private:
    using Clock = std::chrono::steady_clock;
    std::uint64_t cycles_ = 1;
    Clock::time_point last_ = Clock::now();
};

} // namespace

bool run_until(Run& run, std::uint64_t until, const BetweenSlices& between) {
    engine::Engine& engine = run.engine();
    Slices slices;
    while (engine.cycle() < until && engine.ending() == RunEnd::completed) {
        const std::uint64_t before = engine.cycle();
        std::uint64_t cycles = std::min(slices.cycles(), until - before);
        if (between.checkpoints)
            cycles = std::min(cycles, between.checkpoints->until_next(before));
        engine.run(cycles);
        if (engine.cycle() == before) // the run has ended
            return true;
        const bool goes_on = !between.look || between.look();
        if (goes_on && between.checkpoints)
            between.checkpoints->after(engine);
        slices.adapt();
        if (between.native)
            between.native->poll(between.endless ? std::nullopt
                                                 : std::optional{until - engine.cycle()});
        if (!goes_on && engine.cycle() < until && engine.ending() == RunEnd::completed)
            return false;
    }
    return true;
}

} // namespace sme::session

namespace sme::session {

Observed::Observed()
    : verdicts{std::make_shared<interpret::Verdicts>()},
      covered{std::make_shared<interpret::CoveredPrograms>()} {}

yaml::GroupFactories factories(Observed& observed, VerilogModules* verilog) {
    return {[covered = observed.covered](std::shared_ptr<const expr::Program> program) {
                return interpret::counted_program_factory(std::move(program), covered);
            },
            engine::feeder,
            [verdicts = observed.verdicts](std::shared_ptr<const expr::CheckSet> checks) {
                return interpret::checks_factory(std::move(checks), verdicts);
            },
            [&observed](std::shared_ptr<const expr::Recording> recording) {
                observed.recordings.push_back(
                    std::make_shared<interpret::RecordingFile>(std::move(recording)));
                return interpret::recorder_factory(observed.recordings.back());
            },
            verilog,
            interpret::halt_factory,
            interpret::deadlock_factory};
}

yaml::GroupFactories factories_of_each(bool write_outputs, VerilogModules* verilog) {
    return {interpret::program_factory,
            engine::feeder,
            [](std::shared_ptr<const expr::CheckSet> checks) {
                return interpret::checks_factory(std::move(checks), nullptr);
            },
            [write_outputs](std::shared_ptr<const expr::Recording> recording) {
                return interpret::recorder_factory_of_each(std::move(recording), write_outputs);
            },
            verilog,
            interpret::halt_factory,
            interpret::deadlock_factory};
}

} // namespace sme::session

namespace sme {

namespace {

using Note = std::function<void(const std::string& text)>;

session::NativeRun& native_of(Simulator& simulator, const Note& note) {
    session::NativeRun& native = session::native_of(SimulatorAccess::run(simulator), {});
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
    const RunEnd end = engine.ending();
    if (end != RunEnd::completed && end != RunEnd::faulted)
        return end;
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
    const bool stopped = !session::run_until(SimulatorAccess::run(simulator), until, between);
    simulator.run(Cycles{0}); // throws the fault, if any
    const RunEnd end = stopped ? RunEnd::stopped : end_of(engine, until);
    checkpoints.after(engine);
    if (!checkpoints.problem().empty())
        throw CheckpointError{checkpoints.problem()};
    return end;
}

} // namespace sme
