// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/results.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/reports/junit.hpp"
#include "interpret/observers/recorder.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

namespace {

using Json = nlohmann::ordered_json;

Outcome outcome_of_run(const Loaded& loaded, const session::Outcome& run) {
    Outcome result;
    result.name = "run";
    result.where = loaded.design.graph.declared;
    result.word = run.ending().word;
    if (run.has_faulted()) {
        result.kind = Outcome::Kind::faulted;
        result.why = run.fault_text();
    } else if (run.was_interrupted()) {
        result.kind = Outcome::Kind::faulted;
        result.why = fmt::format("interrupted after cycle {}\n", run.cycles);
    }
    return result;
}

Outcome outcome_of(const expr::Check& check, const interpret::Verdict& verdict) {
    using Kind = CheckResult::Kind;
    Outcome result;
    result.check = &check;
    result.verdict = &verdict;
    result.owner = check.owner_of(verdict.instance);
    result.name = check.text;
    result.where = check.where;
    switch (verdict.kind) {
    case Kind::passed: result.word = "passed"; break;
    case Kind::failed:
        result.kind = Outcome::Kind::failed;
        result.word = "failed";
        result.why = fmt::format("{}: {}\n", describe(check.where), failure_text(check, verdict));
        break;
    case Kind::faulted:
        result.kind = Outcome::Kind::faulted;
        result.word = "faulted";
        result.why = fmt::format("{}: {}\n", describe(check.where), failure_text(check, verdict));
        break;
    case Kind::not_reached:
        result.kind = Outcome::Kind::skipped;
        result.word = result.why = "not reached";
        break;
    case Kind::pending:
        result.kind = Outcome::Kind::skipped;
        result.word = "pending";
        result.why = fmt::format("pending: {} of {} were open when the run ended", verdict.open,
                                 verdict.evaluated);
        break;
    }
    return result;
}

Outcome outcome_of(const interpret::RecordingFile& file) {
    const expr::Recording& recording = file.recording();
    Outcome result;
    result.recording = &file;
    result.name = fmt::format("output {}", recording.path);
    result.where = recording.where;
    result.word = recording.has_expected ? "passed" : "recorded";
    if (!file.difference().empty()) {
        result.kind = Outcome::Kind::failed;
        result.word = "failed";
        result.why =
            fmt::format("{}: '{}' is not what '{}' expects: {}\n", describe(recording.where),
                        recording.path, recording.expected_path, file.difference());
    } else if (!file.problem().empty()) {
        result.kind = Outcome::Kind::failed;
        result.word = "not written";
        result.why = file.problem();
    } else if (file.faulted()) {
        result.kind = Outcome::Kind::faulted;
        result.word = "faulted";
        result.why = fmt::format("the evaluation of a row faulted in cycle {}", *file.faulted());
    } else if (recording.has_expected && file.rows() < recording.expected.size()) {
        result.kind = Outcome::Kind::skipped;
        result.word = "not reached";
        result.why =
            fmt::format("{} of {} rows came, all equal", file.rows(), recording.expected.size());
    }
    return result;
}

Outcome outcome_of(const validator::InvariantChecker& judge, const Loaded& loaded) {
    Outcome result;
    result.name = "invariants";
    result.where = loaded.design.graph.declared;
    result.word = judge.violations().empty() ? "passed" : "failed";
    if (!judge.violations().empty())
        result.kind = Outcome::Kind::failed;
    for (const validator::Violation& found : judge.violations())
        result.why += fmt::format("{} [{}]\n", sentence(found), name_of(found.invariant));
    return result;
}

Json json_of(const validator::InvariantChecker& judge) {
    Json result;
    result["result"] = judge.violations().empty() ? "passed" : "failed";
    result["cycles"] = judge.cycles();
    result["steps"] = judge.steps();
    result["violations"] = Json::array();
    for (const validator::Violation& found : judge.violations())
        result["violations"].push_back({{"invariant", name_of(found.invariant)},
                                        {"cycle", found.cycle},
                                        {"process", found.process},
                                        {"bus", found.bus},
                                        {"text", sentence(found)}});
    return result;
}

Json json_of(const Outcome& outcome) {
    Json result;
    result["name"] = outcome.name;
    if (!outcome.owner.empty())
        result["of"] = outcome.owner;
    if (outcome.where.source) {
        const auto position = outcome.where.source->position(outcome.where.begin);
        result["file"] = outcome.where.source->path();
        result["line"] = position.line;
        result["column"] = position.column;
    }
    result["result"] = outcome.word;
    if (!outcome.why.empty())
        result["why"] = outcome.why;
    if (outcome.recording)
        result["rows"] = outcome.recording->rows();
    if (!outcome.verdict)
        return result;
    const interpret::Verdict& verdict = *outcome.verdict;
    const bool failed = verdict.is_final();
    const bool once = outcome.check->kind == expr::Check::Kind::cover ||
                      outcome.check->kind == expr::Check::Kind::eventually;
    result["evaluated"] = verdict.evaluated;
    if (once || outcome.check->temporal)
        result["held"] = verdict.held;
    if (outcome.check->temporal)
        result["open"] = verdict.open;
    if (failed || (once && verdict.kind == CheckResult::Kind::passed))
        result["cycle"] = verdict.cycle;
    if (verdict.kind == CheckResult::Kind::failed && outcome.check->temporal)
        result["began"] = verdict.began;
    if (failed) {
        Json values = Json::object();
        for (const interpret::Shown& operand : verdict.operands)
            values[operand.text] = operand.value;
        result["values"] = std::move(values);
    }
    return result;
}

} // namespace

std::vector<Outcome> outcomes_of(const Loaded& loaded, const session::Outcome& run,
                                 const validator::InvariantChecker* judge) {
    std::vector<Outcome> result{outcome_of_run(loaded, run)};
    if (judge)
        result.push_back(outcome_of(*judge, loaded));
    for (std::size_t k = 0; loaded.design.checks && k < loaded.verdicts->size(); ++k)
        result.push_back(outcome_of(loaded.design.checks->checks[k], (*loaded.verdicts)[k]));
    for (const auto& file : loaded.recordings)
        result.push_back(outcome_of(*file));
    return result;
}

std::string results_json(const Loaded& loaded, const RunKey& key, const session::Outcome& run,
                         const validator::InvariantChecker* judge) {
    Json result;
    result["format"] = "sme results 1";
    result["network"] = loaded.design.graph.name;
    result["parameters"] = key.parameters;
    result["seed"] = key.seed;
    result["cycles"] = run.cycles;
    result["ending"] = run.ending().word;
    result["passed"] =
        !run.has_faulted() && !run.was_interrupted() && !has_failed(loaded, run, judge);
    result["faults"] = Json::array();
    for (const Diagnostic& fault : run.faults)
        result["faults"].push_back(render(fault));
    if (judge)
        result["judge"] = json_of(*judge);
    result["checks"] = Json::array();
    result["outputs"] = Json::array();
    for (const Outcome& outcome : outcomes_of(loaded, run, judge))
        if (outcome.check || outcome.recording)
            result[outcome.check ? "checks" : "outputs"].push_back(json_of(outcome));
    return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// JUnit XML, for continuous integration: one suite, with a test case for the run, each check and
// each recorded output. Times are omitted, so that equal runs give equal files.

namespace {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

void add_case(JunitSuite& suite, const std::string& network, const Outcome& outcome,
              std::map<std::string, unsigned>& names) {
    const std::string of = outcome.owner.empty() ? network : network + "." + outcome.owner;
    std::string name = outcome.name;
    if (const unsigned before = names[of + '\n' + name]++; before > 0) // readers merge equal names
        name += fmt::format(" #{}", before + 1);
    pugi::xml_node result = suite.add_case(of, name);
    if (outcome.where.source) {
        result.append_attribute("file") = printable(outcome.where.source->path()).c_str();
        result.append_attribute("line") = outcome.where.source->position(outcome.where.begin).line;
    }
    if (outcome.kind == Outcome::Kind::passed)
        return;
    const bool skipped = outcome.kind == Outcome::Kind::skipped;
    const bool failed = outcome.kind == Outcome::Kind::failed;
    pugi::xml_node why = result.append_child(skipped ? "skipped" : failed ? "failure" : "error");
    why.append_attribute("message") = printable(first_line(outcome.why)).c_str();
    if (skipped)
        return;
    why.append_attribute("type") = outcome.word.c_str();
    why.append_child(pugi::node_pcdata).set_value(printable(outcome.why).c_str());
}

} // namespace

std::string results_junit(const Loaded& loaded, const session::Outcome& run,
                          const validator::InvariantChecker* judge) {
    const std::vector<Outcome> outcomes = outcomes_of(loaded, run, judge);
    std::map<Outcome::Kind, std::size_t> count;
    for (const Outcome& outcome : outcomes)
        ++count[outcome.kind];
    JunitSuite suite{loaded.design.graph.name,
                     {outcomes.size(), count[Outcome::Kind::failed], count[Outcome::Kind::faulted],
                      count[Outcome::Kind::skipped]}};
    std::map<std::string, unsigned> names;
    for (const Outcome& outcome : outcomes)
        add_case(suite, loaded.design.graph.name, outcome, names);
    return suite.text();
}

} // namespace sme::cli
