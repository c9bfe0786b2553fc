// SPDX-License-Identifier: Apache-2.0
#include "cli/summary.hpp"

#include <fmt/format.h>

namespace sme::cli {

namespace {

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string_view ending_of(engine::Ending ending) {
    switch (ending) {
    case engine::Ending::completed: return "";
    case engine::Ending::interrupted: return ", interrupted";
    case engine::Ending::halted: return ", halted";
    case engine::Ending::check_failed: return ", ended by a failed check";
    case engine::Ending::faulted: return ", ended by a fault";
    }
    return "";
}

std::string verdict_line(const expr::Check& check, const interpret::Verdict& verdict) {
    using Kind = interpret::Verdict::Kind;
    switch (verdict.kind) {
    case Kind::passed: return fmt::format("  passed       {}\n", check.text);
    case Kind::not_reached: return fmt::format("  not reached  {}\n", check.text);
    case Kind::failed: break;
    }
    return fmt::format("  FAILED       {} (in cycle {})\n", check.text, verdict.cycle);
}

std::string recording_line(const interpret::RecordingFile& file) {
    const expr::Recording& recording = file.recording();
    const std::string rows = counted(file.rows(), "row", "rows");
    if (!file.difference().empty())
        return fmt::format("  FAILED       {}: {}\n", recording.path, file.difference());
    if (!recording.has_expected)
        return fmt::format("  recorded     {}: {}\n", recording.path, rows);
    if (file.rows() < recording.expected.size())
        return fmt::format("  not reached  {}: {} of {} expected, all equal so far\n",
                           recording.path, rows, recording.expected.size());
    return fmt::format("  passed       {}: {} as expected\n", recording.path, rows);
}

} // namespace

std::string size_of(const Graph& graph) {
    std::uint64_t buses = 0;
    for (const BusFamily& bus : graph.buses)
        buses += bus.state ? 0 : bus.count;
    return fmt::format("{}, {}", counted(graph.process_count(), "process", "processes"),
                       counted(buses, "bus", "buses"));
}

std::string summary_of(const Loaded& loaded, const engine::Engine& engine) {
    std::string text = fmt::format("{}: {} of {}{}\n", loaded.design.graph.name,
                                   counted(engine.cycle(), "cycle", "cycles"),
                                   size_of(loaded.design.graph), ending_of(engine.ending()));
    if (loaded.design.checks)
        for (std::size_t k = 0; k < loaded.verdicts->size(); ++k)
            text += verdict_line(loaded.design.checks->checks[k], (*loaded.verdicts)[k]);
    for (const auto& recording : loaded.recordings)
        text += recording_line(*recording);
    return text;
}

std::vector<Diagnostic> failures_of(const Loaded& loaded) {
    std::vector<Diagnostic> failures;
    const auto add = [&](Code code, const Location& where, std::string message) {
        failures.push_back({code, info(code).severity, where, std::move(message), {}});
    };
    for (std::size_t k = 0; k < loaded.verdicts->size(); ++k) {
        const expr::Check& check = loaded.design.checks->checks[k];
        const interpret::Verdict& verdict = (*loaded.verdicts)[k];
        if (verdict.kind == interpret::Verdict::Kind::failed)
            add(Code::check_failed, check.where,
                fmt::format("the check '{}' failed in cycle {}", check.text, verdict.cycle));
    }
    for (const auto& file : loaded.recordings)
        if (!file->difference().empty())
            add(Code::record_differs, file->recording().where,
                fmt::format("'{}' is not what '{}' expects: {}", file->recording().path,
                            file->recording().expected_path, file->difference()));
    return failures;
}

bool any_failed(const Loaded& loaded) {
    return !failures_of(loaded).empty();
}

} // namespace sme::cli
