// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/results.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

namespace sme::cli {

namespace {

using Json = nlohmann::ordered_json;

Outcome outcome_of_run(const Loaded& loaded, const engine::Engine& engine) {
    Outcome made;
    made.name = "run";
    made.where = loaded.design.graph.declared;
    made.word = word_of(engine.ending());
    if (engine.ending() == RunEnd::faulted) {
        made.kind = Outcome::Kind::faulted;
        for (const Diagnostic& fault : engine.faults())
            made.why += render(fault);
    } else if (engine.ending() == RunEnd::stopped) {
        made.kind = Outcome::Kind::faulted;
        made.why = fmt::format("interrupted after cycle {}\n", engine.cycle());
    }
    return made;
}

Outcome outcome_of(const expr::Check& check, const interpret::Verdict& verdict) {
    using Kind = CheckResult::Kind;
    Outcome made;
    made.check = &check;
    made.verdict = &verdict;
    made.owner = check.owner_of(verdict.instance);
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
    const interpret::Verdict& verdict = *outcome.verdict;
    const bool failed = verdict.kind == CheckResult::Kind::failed;
    const bool once = outcome.check->kind == expr::Check::Kind::cover ||
                      outcome.check->kind == expr::Check::Kind::eventually;
    made["evaluated"] = verdict.evaluated;
    if (once || outcome.check->sequence)
        made["held"] = verdict.held;
    if (outcome.check->sequence)
        made["open"] = verdict.open;
    if (failed || (once && verdict.kind == CheckResult::Kind::passed))
        made["cycle"] = verdict.cycle;
    if (failed && outcome.check->sequence)
        made["began"] = verdict.began;
    if (failed) {
        Json values = Json::object();
        for (const interpret::Verdict::Shown& operand : verdict.operands)
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

std::string_view word_of(RunEnd ending) {
    switch (ending) {
    case RunEnd::completed: return "completed";
    case RunEnd::stopped: return "interrupted";
    case RunEnd::halted: return "halted";
    case RunEnd::check_failed: return "check-failed";
    case RunEnd::deadlocked: return "deadlocked";
    case RunEnd::faulted: return "faulted";
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
    made["passed"] = engine.ending() != RunEnd::faulted && engine.ending() != RunEnd::stopped &&
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

// JUnit XML, for continuous integration: one suite, with a test case for the run, each check and
// each recorded output. Times are omitted, so that equal runs give equal files.

namespace {

/// The length in bytes of the first character of a text, if XML 1.0 allows it; else 0.
std::size_t character(std::string_view text) {
    const auto byte = [&](std::size_t k) -> unsigned {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
    };
    const unsigned first = byte(0);
    if (first < 0x80)
        return first >= 0x20 || first == '\n' || first == '\t' ? 1 : 0;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    char32_t code = first & (0x7fu >> size);
    for (std::size_t k = 1; k < size; ++k) {
        if ((byte(k) & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte(k) & 0x3f);
    }
    constexpr char32_t least[] = {0x80, 0x800, 0x10000};
    const bool none = first < 0xc2 || code < least[size - 2] || code > 0x10ffff ||
                      (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe || code == 0xffff;
    return none ? 0 : size;
}

/// Replaces invalid characters with '?'.
std::string printable(std::string_view text) {
    std::string made;
    while (!text.empty()) {
        const std::size_t size = character(text);
        made += size > 0 ? text.substr(0, size) : "?";
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return made;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

void add_case(pugi::xml_node suite, const std::string& network, const Outcome& outcome,
              std::map<std::string, unsigned>& names) {
    pugi::xml_node made = suite.append_child("testcase");
    const std::string of = outcome.owner.empty() ? network : network + "." + outcome.owner;
    std::string name = outcome.name;
    if (const unsigned before = names[of + '\n' + name]++; before > 0) // readers merge equal names
        name += fmt::format(" #{}", before + 1);
    made.append_attribute("classname") = printable(of).c_str();
    made.append_attribute("name") = printable(name).c_str();
    if (outcome.where.source) {
        made.append_attribute("file") = printable(outcome.where.source->path()).c_str();
        made.append_attribute("line") = outcome.where.source->position(outcome.where.begin).line;
    }
    if (outcome.kind == Outcome::Kind::passed)
        return;
    const bool skipped = outcome.kind == Outcome::Kind::skipped;
    const bool failed = outcome.kind == Outcome::Kind::failed;
    pugi::xml_node why = made.append_child(skipped ? "skipped" : failed ? "failure" : "error");
    why.append_attribute("message") = printable(first_line(outcome.why)).c_str();
    if (skipped)
        return;
    why.append_attribute("type") = outcome.word.c_str();
    why.append_child(pugi::node_pcdata).set_value(printable(outcome.why).c_str());
}

} // namespace

std::string results_junit(const Loaded& loaded, const engine::Engine& engine,
                          const validator::Judge* judge) {
    const std::vector<Outcome> outcomes = outcomes_of(loaded, engine, judge);
    std::map<Outcome::Kind, unsigned> count;
    for (const Outcome& outcome : outcomes)
        ++count[outcome.kind];
    pugi::xml_document document;
    pugi::xml_node head = document.append_child(pugi::node_declaration);
    head.append_attribute("version") = "1.0";
    head.append_attribute("encoding") = "UTF-8";
    pugi::xml_node suites = document.append_child("testsuites");
    pugi::xml_node suite = suites.append_child("testsuite");
    suite.append_attribute("name") = printable(loaded.design.graph.name).c_str();
    for (pugi::xml_node node : {suites, suite}) {
        node.append_attribute("tests") = static_cast<unsigned>(outcomes.size());
        node.append_attribute("failures") = count[Outcome::Kind::failed];
        node.append_attribute("errors") = count[Outcome::Kind::faulted];
        node.append_attribute("skipped") = count[Outcome::Kind::skipped];
    }
    std::map<std::string, unsigned> names;
    for (const Outcome& outcome : outcomes)
        add_case(suite, loaded.design.graph.name, outcome, names);
    std::ostringstream text;
    document.save(text, "  ");
    return text.str();
}

} // namespace sme::cli
