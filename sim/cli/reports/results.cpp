// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/results.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/reports/summary.hpp"

namespace sme::cli {

namespace {

using Json = nlohmann::ordered_json;

Outcome outcome_of_run(const Loaded& loaded, const engine::Engine& engine) {
    Outcome made;
    made.name = "run";
    made.where = loaded.design.graph.declared;
    made.word = word_of(engine.ending());
    if (engine.ending() == engine::Ending::faulted) {
        made.kind = Outcome::Kind::faulted;
        for (const Diagnostic& fault : engine.faults())
            made.why += render(fault);
    } else if (engine.ending() == engine::Ending::interrupted) {
        made.kind = Outcome::Kind::faulted;
        made.why = fmt::format("interrupted after cycle {}\n", engine.cycle());
    }
    return made;
}

Outcome outcome_of(const expr::Check& check, const interpret::CheckResult& verdict) {
    using Kind = interpret::CheckResult::Kind;
    Outcome made;
    made.check = &check;
    made.verdict = &verdict;
    made.owner = check.owner;
    made.name = check.text;
    made.where = check.where;
    switch (verdict.kind) {
    case Kind::passed: made.word = "passed"; break;
    case Kind::failed:
        made.kind = Outcome::Kind::failed;
        made.word = "failed";
        made.why = fmt::format("{}: {}\n", describe(check.where), failure_text(check, verdict));
        break;
    case Kind::not_reached:
        made.kind = Outcome::Kind::skipped;
        made.word = made.why = "not reached";
        break;
    case Kind::pending:
        made.kind = Outcome::Kind::skipped;
        made.word = "pending";
        made.why = fmt::format("pending: {} of {} were open when the run ended", verdict.open,
                               verdict.evaluated);
        break;
    }
    return made;
}

Outcome outcome_of(const interpret::RecordingFile& file) {
    const expr::Recording& recording = file.recording();
    Outcome made;
    made.recording = &file;
    made.name = fmt::format("output {}", recording.path);
    made.where = recording.where;
    made.word = recording.has_expected ? "passed" : "recorded";
    if (!file.difference().empty()) {
        made.kind = Outcome::Kind::failed;
        made.word = "failed";
        made.why = fmt::format("{}: '{}' is not what '{}' expects: {}\n", describe(recording.where),
                               recording.path, recording.expected_path, file.difference());
    } else if (!file.problem().empty()) {
        made.kind = Outcome::Kind::failed;
        made.word = "not written";
        made.why = file.problem();
    } else if (recording.has_expected && file.rows() < recording.expected.size()) {
        made.kind = Outcome::Kind::skipped;
        made.word = "not reached";
        made.why =
            fmt::format("{} of {} rows came, all equal", file.rows(), recording.expected.size());
    }
    return made;
}

Outcome outcome_of(const validator::Judge& judge, const Loaded& loaded) {
    Outcome made;
    made.name = "invariants";
    made.where = loaded.design.graph.declared;
    made.word = judge.violations().empty() ? "passed" : "failed";
    if (!judge.violations().empty())
        made.kind = Outcome::Kind::failed;
    for (const validator::Violation& found : judge.violations())
        made.why += fmt::format("{} [{}]\n", sentence(found), name_of(found.invariant));
    return made;
}

Json json_of(const validator::Judge& judge) {
    Json made;
    made["result"] = judge.violations().empty() ? "passed" : "failed";
    made["cycles"] = judge.cycles();
    made["steps"] = judge.steps();
    made["violations"] = Json::array();
    for (const validator::Violation& found : judge.violations())
        made["violations"].push_back({{"invariant", name_of(found.invariant)},
                                      {"cycle", found.cycle},
                                      {"process", found.process},
                                      {"bus", found.bus},
                                      {"text", sentence(found)}});
    return made;
}

Json json_of(const Outcome& outcome) {
    Json made;
    made["name"] = outcome.name;
    if (!outcome.owner.empty())
        made["of"] = outcome.owner;
    if (outcome.where.source) {
        const auto position = outcome.where.source->position(outcome.where.begin);
        made["file"] = outcome.where.source->path();
        made["line"] = position.line;
        made["column"] = position.column;
    }
    made["result"] = outcome.word;
    if (!outcome.why.empty())
        made["why"] = outcome.why;
    if (outcome.recording)
        made["rows"] = outcome.recording->rows();
    if (!outcome.verdict)
        return made;
    const interpret::CheckResult& verdict = *outcome.verdict;
    const bool failed = verdict.kind == interpret::CheckResult::Kind::failed;
    const bool once = outcome.check->kind == expr::Check::Kind::cover ||
                      outcome.check->kind == expr::Check::Kind::eventually;
    made["evaluated"] = verdict.evaluated;
    if (once || outcome.check->sequence)
        made["held"] = verdict.held;
    if (outcome.check->sequence)
        made["open"] = verdict.open;
    if (failed || (once && verdict.kind == interpret::CheckResult::Kind::passed))
        made["cycle"] = verdict.cycle;
    if (failed && outcome.check->sequence)
        made["began"] = verdict.began;
    if (failed) {
        Json values = Json::object();
        for (const interpret::CheckResult::Shown& operand : verdict.operands)
            values[operand.text] = operand.value;
        made["values"] = std::move(values);
    }
    return made;
}

} // namespace

std::vector<Outcome> outcomes_of(const Loaded& loaded, const engine::Engine& engine,
                                 const validator::Judge* judge) {
    std::vector<Outcome> made{outcome_of_run(loaded, engine)};
    if (judge)
        made.push_back(outcome_of(*judge, loaded));
    for (std::size_t k = 0; loaded.design.checks && k < loaded.verdicts->size(); ++k)
        made.push_back(outcome_of(loaded.design.checks->checks[k], (*loaded.verdicts)[k]));
    for (const auto& file : loaded.recordings)
        made.push_back(outcome_of(*file));
    return made;
}

std::string_view word_of(engine::Ending ending) {
    switch (ending) {
    case engine::Ending::completed: return "completed";
    case engine::Ending::interrupted: return "interrupted";
    case engine::Ending::halted: return "halted";
    case engine::Ending::check_failed: return "check-failed";
    case engine::Ending::faulted: return "faulted";
    }
    return "";
}

std::string results_json(const Loaded& loaded, const engine::Engine& engine,
                         const validator::Judge* judge) {
    Json made;
    made["format"] = "sme results 1";
    made["network"] = loaded.design.graph.name;
    made["cycles"] = engine.cycle();
    made["ending"] = word_of(engine.ending());
    made["passed"] = engine.ending() != engine::Ending::faulted &&
                     engine.ending() != engine::Ending::interrupted &&
                     !has_failed(loaded, engine, judge);
    made["faults"] = Json::array();
    for (const Diagnostic& fault : engine.faults())
        made["faults"].push_back(render(fault));
    if (judge)
        made["judge"] = json_of(*judge);
    made["checks"] = Json::array();
    made["outputs"] = Json::array();
    for (const Outcome& outcome : outcomes_of(loaded, engine, judge))
        if (outcome.check || outcome.recording)
            made[outcome.check ? "checks" : "outputs"].push_back(json_of(outcome));
    return made.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace sme::cli
