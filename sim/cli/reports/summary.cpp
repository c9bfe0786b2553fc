// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/results.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/findings.hpp"
#include "interpret/observers/recorder.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

namespace {

std::string_view phrase_of(const Loaded& loaded, RunEnd end) {
    return end == RunEnd::check_failed && !any_failed(loaded) // the implementations differ
               ? ", ended by a difference"
               : session::ending_of(end).phrase;
}

std::string verdict_line(std::string_view verdict, const std::string& owner,
                         const std::string& text) {
    return owner.empty() ? fmt::format("  {:<12} {}\n", verdict, text)
                         : fmt::format("  {:<12} {}: {}\n", verdict, owner, text);
}

/// The counts of checks: how often they were evaluated, how often they held.
std::string counts_of(const Loaded& loaded, const std::vector<std::size_t>& instances) {
    const expr::Check& check = loaded.design.checks->checks[instances[0]];
    interpret::Verdict sum;
    std::uint64_t first = ~std::uint64_t{0};
    for (const std::size_t k : instances) {
        const interpret::Verdict& each = (*loaded.verdicts)[k];
        const bool failed = each.kind == CheckResult::Kind::failed;
        // a failure is that of one instance
        sum.evaluated += failed ? each.evaluated / check.count() : each.evaluated;
        sum.held += each.held;
        sum.open += each.open;
        first = std::min(first, each.cycle);
    }
    std::string text;
    const bool passed = (*loaded.verdicts)[instances[0]].kind == CheckResult::Kind::passed;
    if (check.temporal && sum.evaluated > 0)
        text = fmt::format("began {}", counted(sum.evaluated, "time", "times"));
    if (sum.open > 0)
        text += fmt::format(", {} open", sum.open);
    if (check.kind == expr::Check::Kind::cover && passed)
        return fmt::format("covered {}, first in cycle {}", counted(sum.held, "time", "times"),
                           first);
    if (check.kind == expr::Check::Kind::eventually && passed && instances.size() == 1)
        return fmt::format("in cycle {}", first);
    if (!text.empty() || check.kind == expr::Check::Kind::at || sum.evaluated == 0)
        return text;
    return fmt::format("evaluated {}", counted(sum.evaluated, "time", "times"));
}

/// " (a, b)", without empty parts.
std::string in_brackets(const std::string& a, const std::string& b) {
    const std::string both = a.empty() || b.empty() ? a + b : a + ", " + b;
    return both.empty() ? both : fmt::format(" ({})", both);
}

/// Lists a check of many instances that failed: the first failure, and counts of all others.
std::string failed_lines(const expr::Check& check, const interpret::Verdict& verdict) {
    const std::uint64_t evaluated = verdict.evaluated / check.count();
    const auto times = [&](std::uint64_t count) {
        return check.kind == expr::Check::Kind::at
                   ? std::string{}
                   : fmt::format("evaluated {}", counted(count, "time", "times"));
    };
    const auto others = [&](const char* word, std::uint64_t count, const std::string& more) {
        return count == 0
                   ? std::string{}
                   : verdict_line(word, {},
                                  check.text +
                                      in_brackets(fmt::format("in {} {}instances", count, more),
                                                  more.empty() ? times(evaluated * count) : ""));
    };
    return verdict_line("FAILED", check.owner_of(verdict.instance),
                        check.text + in_brackets(fmt::format("in cycle {}", verdict.cycle),
                                                 times(evaluated))) +
           others("FAILED", verdict.failures - 1, "more ") +
           others("passed", check.count() - verdict.failures, "");
}

/// Lists one check with its outcome in each instance of its component or process: each failure, and
/// counts of all other outcomes.
std::string check_lines(const Loaded& loaded, const std::vector<std::size_t>& instances) {
    using Kind = CheckResult::Kind;
    constexpr std::size_t max_failures = 5;
    if (const auto& first = (*loaded.verdicts)[instances[0]];
        first.kind == Kind::failed && loaded.design.checks->checks[instances[0]].count() > 1)
        return failed_lines(loaded.design.checks->checks[instances[0]], first);
    std::vector<std::size_t> of_kind[static_cast<std::size_t>(Kind::faulted) + 1];
    for (const std::size_t k : instances)
        of_kind[static_cast<std::size_t>((*loaded.verdicts)[k].kind)].push_back(k);
    std::string lines;
    const auto& failed = of_kind[static_cast<std::size_t>(Kind::failed)];
    for (std::size_t n = 0; n < std::min(failed.size(), max_failures); ++n) {
        const expr::Check& check = loaded.design.checks->checks[failed[n]];
        const interpret::Verdict& verdict = (*loaded.verdicts)[failed[n]];
        lines += verdict_line("FAILED", check.owner_of(verdict.instance),
                              check.text + in_brackets(fmt::format("in cycle {}", verdict.cycle),
                                                       counts_of(loaded, {failed[n]})));
    }
    const std::string& text = loaded.design.checks->checks[instances[0]].text;
    if (failed.size() > max_failures)
        lines += verdict_line(
            "FAILED", {},
            fmt::format("{} (in {} more instances)", text, failed.size() - max_failures));
    for (const auto& [kind, word] :
         {std::pair{Kind::faulted, "FAULTED"}, std::pair{Kind::not_reached, "not reached"},
          std::pair{Kind::pending, "pending"}, std::pair{Kind::passed, "passed"}}) {
        const auto& same = of_kind[static_cast<std::size_t>(kind)];
        if (same.empty())
            continue;
        std::uint64_t members = 0;
        for (const std::size_t k : same)
            members += loaded.design.checks->checks[k].count();
        const bool one = members == 1;
        lines += verdict_line(word, one ? loaded.design.checks->checks[same[0]].owner : "",
                              text + in_brackets(one ? "" : fmt::format("in {} instances", members),
                                                 counts_of(loaded, same)));
    }
    return lines;
}

std::string all_check_lines(const Loaded& loaded) {
    std::vector<std::vector<std::size_t>> written; // the instances of each check
    std::map<std::tuple<const Source*, std::uint32_t, std::string>, std::size_t> known;
    for (std::size_t k = 0; k < loaded.verdicts->size(); ++k) {
        const expr::Check& check = loaded.design.checks->checks[k];
        const auto [found, fresh] = known.try_emplace(
            {check.where.source.get(), check.where.begin, check.text}, written.size());
        if (fresh)
            written.emplace_back();
        written[found->second].push_back(k);
    }
    std::string lines;
    for (const std::vector<std::size_t>& instances : written)
        lines += check_lines(loaded, instances);
    return lines;
}

} // namespace

std::string counts_of_check(const Loaded& loaded, std::size_t check) {
    return counts_of(loaded, {check});
}

namespace {

using CheckKind = CheckResult::Kind;

bool is_unreached(const interpret::Verdict& verdict) {
    return verdict.kind == CheckKind::not_reached || verdict.kind == CheckKind::pending;
}

bool is_unreached(const interpret::RecordingFile& file) {
    return file.recording().has_expected && file.difference().empty() && file.problem().empty() &&
           file.rows() < file.recording().expected.size();
}

/// "  2 of 5 checks were not reached; with --strict this fails\n"
std::string unreached_line(const Loaded& loaded, bool may_fail) {
    const auto count = static_cast<std::size_t>(
        std::count_if(loaded.verdicts->begin(), loaded.verdicts->end(),
                      [](const interpret::Verdict& each) { return is_unreached(each); }));
    return count == 0 ? std::string{}
                      : fmt::format("  {} of {} {} not reached{}\n", count,
                                    counted(loaded.verdicts->size(), "check", "checks"),
                                    count == 1 ? "was" : "were",
                                    may_fail && !loaded.strict ? "; with --strict this fails" : "");
}

} // namespace

std::string recording_line(const interpret::RecordingFile& file) {
    const expr::Recording& recording = file.recording();
    const std::string rows = counted(file.rows(), "row", "rows");
    if (!file.difference().empty())
        return fmt::format("  FAILED       {}: {}\n", recording.path, file.difference());
    if (file.faulted())
        return fmt::format("  FAULTED      {}: {} came before cycle {}\n", recording.path, rows,
                           *file.faulted());
    if (!file.problem().empty())
        return fmt::format("  not written  {}: {} came\n", recording.path, rows);
    if (!recording.has_expected)
        return fmt::format("  recorded     {}: {}\n", recording.path, rows);
    if (file.rows() < recording.expected.size())
        return fmt::format("  not reached  {}: {} of {} expected, all equal so far\n",
                           recording.path, rows, recording.expected.size());
    return fmt::format("  passed       {}: {} as expected\n", recording.path, rows);
}

std::string size_of(const Graph& graph) {
    std::uint64_t buses = 0;
    for (const BusFamily& bus : graph.buses)
        buses += bus.state ? 0 : bus.count;
    return fmt::format("{}, {}", counted(graph.process_count(), "process", "processes"),
                       counted(buses, "bus", "buses"));
}

namespace {

std::string judge_lines(const validator::InvariantChecker& judge) {
    std::string text;
    for (const validator::Violation& found : judge.violations())
        text += verdict_line("BROKEN", {},
                             fmt::format("{} {}", name_of(found.invariant), sentence(found)));
    if (text.empty())
        text = verdict_line("judged", {},
                            fmt::format("{} and {}, no invariant is broken",
                                        counted(judge.cycles(), "cycle", "cycles"),
                                        counted(judge.steps(), "step", "steps")));
    return text;
}

} // namespace

std::string summary_of(const Loaded& loaded, const session::Outcome& run,
                       const validator::InvariantChecker* judge) {
    const bool broken = judge && !judge->violations().empty();
    std::string text =
        fmt::format("{}: {} of {}{}\n", loaded.design.graph.name,
                    counted(run.cycles, "cycle", "cycles"), size_of(loaded.design.graph),
                    broken ? ", ended by a broken invariant" : phrase_of(loaded, run.end));
    if (loaded.design.checks)
        text += all_check_lines(loaded) + unreached_line(loaded, run.ending().well && !broken);
    for (const auto& recording : loaded.recordings)
        text += recording_line(*recording);
    if (judge)
        text += judge_lines(*judge);
    return text;
}

std::string failure_text(const expr::Check& check, const interpret::Verdict& verdict) {
    const bool faulted = verdict.kind == CheckResult::Kind::faulted;
    std::string text = fmt::format(
        "the check '{}' {} in cycle {}{}", check.text, faulted ? "faulted" : "failed",
        verdict.cycle,
        check.owner.empty() ? "" : fmt::format(" in '{}'", check.owner_of(verdict.instance)));
    if (!faulted && check.temporal && check.kind != expr::Check::Kind::eventually)
        text += fmt::format(", begun in cycle {}", verdict.began);
    return text + interpret::said(verdict.operands);
}

std::vector<Diagnostic> failures_of(const Loaded& loaded) {
    std::vector<Diagnostic> failures;
    const auto add = [&](Code code, const Location& where, std::string message) {
        failures.push_back({code, info(code).severity, where, std::move(message), {}});
    };
    for (std::size_t k = 0; k < loaded.verdicts->size(); ++k) {
        const expr::Check& check = loaded.design.checks->checks[k];
        const interpret::Verdict& verdict = (*loaded.verdicts)[k];
        if (verdict.kind == CheckResult::Kind::failed)
            add(Code::check_failed, check.where, failure_text(check, verdict));
    }
    for (const auto& file : loaded.recordings)
        if (!file->difference().empty())
            add(Code::record_differs, file->recording().where,
                fmt::format("'{}' is not what '{}' expects: {}", file->recording().path,
                            file->recording().expected_path, file->difference()));
    return failures;
}

std::vector<std::uint64_t> failed_cycles(const Loaded& loaded) {
    std::set<std::uint64_t> cycles;
    for (const interpret::Verdict& verdict : *loaded.verdicts)
        if (verdict.kind == CheckKind::failed)
            cycles.insert(verdict.cycle);
    for (const auto& file : loaded.recordings)
        if (const auto cycle = file->difference_cycle())
            cycles.insert(*cycle);
    return {cycles.begin(), cycles.end()};
}

bool any_failed(const Loaded& loaded) {
    return !failures_of(loaded).empty();
}

std::vector<Diagnostic> strict_failures_of(const Loaded& loaded, const session::Outcome& run) {
    return loaded.strict && run.ending().well ? unreached_of(loaded, run.cycles)
                                              : std::vector<Diagnostic>{};
}

std::vector<Diagnostic> unreached_of(const Loaded& loaded, std::uint64_t cycles) {
    std::vector<Diagnostic> found;
    const auto add = [&](const Location& where, std::string message) {
        found.push_back(
            {Code::not_reached, info(Code::not_reached).severity, where, std::move(message), {}});
    };
    for (std::size_t k = 0; k < loaded.verdicts->size(); ++k) {
        const expr::Check& check = loaded.design.checks->checks[k];
        const interpret::Verdict& verdict = (*loaded.verdicts)[k];
        const std::string of =
            check.owner.empty()
                ? check.text
                : fmt::format("{}: {}", check.owner_of(verdict.instance), check.text);
        if (verdict.kind == CheckKind::not_reached)
            add(check.where, fmt::format("the check '{}' was not reached in {}", of,
                                         counted(cycles, "cycle", "cycles")));
        else if (verdict.kind == CheckKind::pending)
            add(check.where, fmt::format("the check '{}' is pending: {} of {} were open when the "
                                         "run ended",
                                         of, verdict.open, verdict.evaluated));
    }
    for (const auto& file : loaded.recordings)
        if (is_unreached(*file))
            add(file->recording().where,
                fmt::format("'{}' has {} of {} expected rows", file->recording().path, file->rows(),
                            file->recording().expected.size()));
    return found;
}

bool has_failed(const Loaded& loaded, const session::Outcome& run,
                const validator::InvariantChecker* judge) {
    return any_failed(loaded) || (judge && !judge->violations().empty()) ||
           !strict_failures_of(loaded, run).empty();
}

} // namespace sme::cli
