// SPDX-License-Identifier: Apache-2.0
//
// Runs a network file on one thread and prints a summary, as `sme run --engine interpreted` does:
//   node sme_web.js NETWORK.yaml LIBRARY OUTPUTS
// LIBRARY is the folder that contains std/, OUTPUTS receives the recorded outputs. The exit code is
// 1 if the network has errors or a check fails.
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/feeder.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/actor_observers.hpp"
#include "interpret/observers/checks.hpp"
#include "interpret/observers/recorder.hpp"
#include "session/run/run.hpp"
#include "yaml/design.hpp"

namespace {

using namespace sme;

/// The observers of a run.
struct Results {
    std::shared_ptr<interpret::Verdicts> verdicts = std::make_shared<interpret::Verdicts>();
    std::vector<std::shared_ptr<interpret::RecordingFile>> recordings;

    yaml::GroupFactories factories() {
        return {interpret::program_factory,
                engine::feeder,
                [this](std::shared_ptr<const expr::CheckSet> checks) {
                    return interpret::checks_factory(std::move(checks), verdicts);
                },
                [this](std::shared_ptr<const expr::Recording> recording) {
                    recordings.push_back(
                        std::make_shared<interpret::RecordingFile>(std::move(recording)));
                    return interpret::recorder_factory(recordings.back());
                },
                nullptr,
                interpret::halt_factory,
                interpret::deadlock_factory};
    }
};

class PrintedLines final : public engine::PrintSink {
public:
    void print(const std::string& line) override { fmt::print("{}\n", line); }
};

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

const char* word_of(CheckResult::Kind kind) {
    switch (kind) {
    case CheckResult::Kind::passed: return "passed";
    case CheckResult::Kind::failed: return "FAILED";
    case CheckResult::Kind::not_reached: return "not reached";
    case CheckResult::Kind::pending: return "pending";
    case CheckResult::Kind::faulted: return "FAULTED";
    }
    return "";
}

/// How often a check was evaluated, in brackets; for a cover, how often it held.
std::string counts_of(const expr::Check& check, const interpret::Verdict& verdict) {
    if (check.kind == expr::Check::Kind::at || verdict.evaluated == 0)
        return "";
    if (check.kind == expr::Check::Kind::cover && verdict.kind == CheckResult::Kind::passed)
        return fmt::format(" (covered {}, first in cycle {})",
                           counted(verdict.held, "time", "times"), verdict.cycle);
    return fmt::format(" (evaluated {})", counted(verdict.evaluated, "time", "times"));
}

/// Prints the results; returns true if no check failed and all rows are as expected.
bool print_summary(const yaml::Design& design, const Results& results, std::uint64_t cycles) {
    const Graph& graph = design.graph;
    std::uint64_t buses = 0;
    for (const BusFamily& bus : graph.buses)
        buses += bus.state ? 0 : bus.count;
    fmt::print("{}: {} of {}, {}\n", graph.name, counted(cycles, "cycle", "cycles"),
               counted(graph.process_count(), "process", "processes"),
               counted(buses, "bus", "buses"));
    bool good = true;
    for (std::size_t k = 0; k < results.verdicts->size(); ++k) {
        const expr::Check& check = design.checks->checks[k];
        const interpret::Verdict& verdict = (*results.verdicts)[k];
        fmt::print("  {:<12} {}{}\n", word_of(verdict.kind), check.text, counts_of(check, verdict));
        good = good && !verdict.is_final();
    }
    for (const auto& file : results.recordings) {
        const expr::Recording& recording = file->recording();
        const std::string rows = counted(file->rows(), "row", "rows");
        const std::string problem =
            file->difference().empty() ? file->problem() : file->difference();
        good = good && problem.empty();
        if (!problem.empty())
            fmt::print("  FAILED       {}: {}\n", recording.path, problem);
        else
            fmt::print("  {:<12} {}: {}{}\n", recording.has_expected ? "passed" : "recorded",
                       recording.path, rows, recording.has_expected ? " as expected" : "");
    }
    return good;
}

bool run(const char* network, const char* library, const char* outputs) {
    Diagnostics diagnostics;
    Results results;
    PrintedLines lines;
    yaml::LoadOptions options;
    options.library = library;
    options.outputs = outputs;
    const std::optional<yaml::Design> design =
        yaml::load(network, options, results.factories(), diagnostics);
    std::unique_ptr<session::Run> run;
    if (design && !design->library && !diagnostics.has_errors()) {
        engine::Options settings;
        settings.run.threads = 1;
        settings.prints = &lines;
        run = std::make_unique<session::Run>(design->graph, settings, diagnostics);
    }
    fmt::print(stderr, "{}", render(diagnostics));
    if (!run || !run->ok())
        return false;
    run->engine().run(design->cycles.value_or(~std::uint64_t{0}));
    const session::Outcome outcome = run->finish();
    fmt::print(stderr, "{}", outcome.fault_text());
    for (const auto& file : results.recordings)
        file->finish(outcome.end != RunEnd::completed);
    return print_summary(*design, results, outcome.cycles) && !outcome.has_faulted();
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        fmt::print(stderr, "usage: {} NETWORK.yaml LIBRARY OUTPUTS\n", arguments[0]);
        return 2;
    }
    try {
        return run(arguments[1], arguments[2], arguments[3]) ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", arguments[1], error.what());
        return 2;
    }
}
