// SPDX-License-Identifier: Apache-2.0
//
// The tests of many networks: each test is a run of its own, several at once. A test of a network
// with Verilog is a program of its own, because modules print, stop and crash as they like.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/codes.hpp"
#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/failed_tests.hpp"
#include "cli/commands/found_tests.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "cli/programs.hpp"
#include "cli/reports/coverage_report.hpp"
#include "cli/reports/test_reports.hpp"
#include "cli/terminal.hpp"
#include "engine/threads/cpus.hpp"

namespace sme::cli {

namespace {

namespace fs = std::filesystem;

/// How often each cover of a network held: by its place and name.
using Covers = std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, std::uint64_t>;

struct Verdict {
    int exit_code = -1;                 // -1: it has not run
    std::vector<std::string> unreached; // why it failed, if its run passed
    Covers covers;
    std::string output;
    std::string waves;    // of a failure, for the page
    std::string coverage; // in the format of lcov
    double seconds = 0;

    bool has_run() const { return exit_code >= 0; }
    bool passed() const { return exit_code == exit_code::fine; }
    bool failed() const { return has_run() && !passed(); }
};

/// Options of this command that each run has, too.
std::vector<std::string> shared_options(const Options& options) {
    std::vector<std::string> words;
    const auto add = [&](const char* name, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            words.insert(words.end(), {name, value});
    };
    add("--set", options.set);
    add("--allow", options.allow);
    add("--show", options.show);
    if (options.load_limit > 1)
        add("--load-limit", {std::to_string(options.load_limit)});
    for (const auto& [name, given] :
         {std::pair{"--strict", options.strict}, std::pair{"--no-compile", !options.compile},
          std::pair{"--force", options.force}, std::pair{"--safe", options.safe}})
        if (given)
            words.emplace_back(name);
    return words;
}

std::vector<std::string> words_of_run(const Test& test, const Options& options) {
    std::vector<std::string> words{"run", test.network};
    if (!test.name.empty())
        words.insert(words.end(), {"--test", test.name});
    if (test.seed > 0)
        words.insert(words.end(), {"--seed", std::to_string(test.seed)});
    for (std::string& word : shared_options(options))
        words.push_back(std::move(word));
    return words;
}

/// From the results of a run: the checks and outputs of a file that it has not reached, and the
/// covers, which any test of a network may reach.
void read_results(const std::string& path, const std::string& network, Verdict& to) {
    constexpr std::size_t most = std::size_t{256} << 20;
    const FileText file = read_file(path, most);
    const auto results = nlohmann::json::parse(file.text.value_or("{}"), nullptr, false);
    for (const char* const kind : {"checks", "outputs"}) {
        if (!results.is_object() || !results.contains(kind))
            continue;
        for (const auto& each : results[kind]) {
            const std::string name = each.value("name", ""), result = each.value("result", "");
            if (each.value("file", "") != network)
                continue;
            if (name.starts_with("cover: "))
                to.covers[{each.value("line", std::uint64_t{0}),
                           each.value("column", std::uint64_t{0}), name}] +=
                    each.value("held", std::uint64_t{0});
            else if (result == "not reached" && to.passed())
                to.unreached.push_back(fmt::format("{}: {}", result, name));
        }
    }
}

/// Carries out a run in this program.
ProgramEnd run_here(const std::vector<std::string>& words) {
    const CapturedOutput captured;
    ProgramEnd end;
    try {
        end.exit_code = without_exceptions([&] {
            const auto read = read_options(words);
            if (const auto* const refused = std::get_if<Ending>(&read)) {
                print_error(refused->text);
                return refused->exit_code;
            }
            return run_command(std::get<Options>(read));
        });
    } catch (const std::exception& error) { // the other tests go on
        print_error(fmt::format("error: {}\n", error.what()));
        end.exit_code = exit_code::model_failed;
    }
    end.output = captured.text();
    return end;
}

class Tests {
public:
    Tests(const Options& options, std::vector<Test> tests)
        : options_{options}, tests_{std::move(tests)}, verdicts_(tests_.size()) {}

    /// Runs all tests; prints the verdicts in order, each as soon as those before it are known.
    void run() {
        const std::size_t jobs = std::min<std::size_t>(
            options_.jobs > 0 ? options_.jobs.value : engine::usable_cpus(), tests_.size());
        std::vector<std::future<void>> others;
        for (std::size_t k = 1; k < jobs; ++k)
            others.push_back(std::async(std::launch::async, [&] { work(); }));
        work();
        for (std::future<void>& other : others)
            other.get();
    }

    /// That of the first test that did not run as it should, and `model_failed` if one failed.
    int exit_code() const {
        int result = exit_code::fine;
        for (const Verdict& verdict : verdicts_) {
            if (verdict.exit_code == exit_code::model_failed)
                return exit_code::model_failed;
            if (result == exit_code::fine && verdict.failed())
                result = verdict.exit_code;
        }
        return result;
    }

    void note(FailedTests& known) const {
        for (std::size_t k = 0; k < tests_.size(); ++k)
            if (verdicts_[k].has_run())
                known.note(tests_[k].label(), verdicts_[k].failed());
    }

    TestReport report() const;

private:
    void work() {
        const TemporaryFolder folder{"sme-test"};
        for (;;) {
            const std::size_t number = next_.fetch_add(1);
            if (number >= tests_.size() || stop_ || interrupted())
                return;
            Verdict verdict = run_one(tests_[number], folder);
            const std::scoped_lock lock{mutex_};
            if (options_.fail_fast && verdict.failed())
                stop_ = true;
            if (!interrupted()) // else it was stopped
                verdicts_[number] = std::move(verdict);
            print();
        }
    }

    Verdict run_one(const Test& test, const TemporaryFolder& folder) const {
        Verdict verdict;
        if (folder.path().empty()) {
            verdict.exit_code = exit_code::file;
            verdict.output = folder.problem();
            return verdict;
        }
        std::error_code ignored;
        const fs::path own = fs::path{folder.path()} / "run";
        fs::remove_all(own, ignored);
        fs::create_directory(own, ignored);
        const std::string results = own / "results.json";
        std::vector<std::string> words = words_of_run(test, options_);
        words.insert(words.end(), {"--threads", "1", "--outputs", own / "outputs", "--allow", own,
                                   "--results", results});
        const std::string coverage = own / "coverage.info";
        if (!options_.coverage.empty())
            words.insert(words.end(), {"--coverage", coverage});
        fs::create_directory(own / "outputs", ignored);
        const auto begin = std::chrono::steady_clock::now();
        const ProgramEnd end = run(words, test);
        verdict.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        verdict.exit_code = end.problem.empty() ? end.exit_code : exit_code::building;
        verdict.output = end.problem.empty() ? end.output : end.problem;
        read_results(results, test.network, verdict);
        constexpr std::size_t most = std::size_t{256} << 20;
        verdict.coverage = read_file(coverage, most).text.value_or("");
        if (!verdict.unreached.empty())
            verdict.exit_code = exit_code::model_failed;
        if (verdict.failed() && !options_.page.empty() && options_.show.empty()) {
            words.insert(words.end(), {"--show", "*"});
            verdict.waves = added_lines(verdict.output, run(words, test).output);
        }
        return verdict;
    }

    ProgramEnd run(const std::vector<std::string>& words, const Test& test) const {
        if (!options_.isolate && !test.has_verilog)
            return run_here(words);
        ProgramLimit limit;
        limit.unwanted = &interrupted();
        limit.signal = &interrupted_by();
        return run_program(running_program(), words, ProgramStreams::all_taken, {}, &limit);
    }

    /// The lines of a text that another one lacks, but not very many.
    static std::string added_lines(const std::string& known, const std::string& text) {
        constexpr int most = 400;
        std::set<std::string> before;
        std::istringstream old{known}, lines{text};
        for (std::string line; std::getline(old, line);)
            before.insert(line);
        std::string result;
        int count = 0;
        for (std::string line; std::getline(lines, line) && count < most;)
            if (!before.contains(line)) {
                result += line + "\n";
                ++count;
            }
        return result;
    }

    /// What to say about a test that did not pass: what its run said, and how to repeat it.
    std::string explanation(std::size_t number) const {
        const Verdict& verdict = verdicts_[number];
        std::string text;
        std::istringstream lines{verdict.output};
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("  recorded ") && // these files are not kept
                !line.starts_with("  coverage "))
                text += fmt::format("      {}\n", line);
        for (const std::string& each : verdict.unreached)
            text += fmt::format("      {}\n", each);
        std::vector<std::string> words = words_of_run(tests_[number], options_);
        if (!verdict.unreached.empty() && !options_.strict)
            words.emplace_back("--strict"); // without it, such a run passes
        return fmt::format("{}      again: {}\n", text, command_line(words));
    }

    void print() {
        while (printed_ < tests_.size() && verdicts_[printed_].has_run()) {
            const Verdict& verdict = verdicts_[printed_];
            fmt::print("  {:<12} {}\n", verdict.passed() ? "passed" : "FAILED",
                       shown_text(tests_[printed_].label()));
            if (!verdict.passed())
                fmt::print("{}", shown_text(explanation(printed_)));
            ++printed_;
        }
        std::fflush(stdout);
    }

    const Options& options_;
    const std::vector<Test> tests_;
    std::vector<Verdict> verdicts_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_; // protects `verdicts_` and `printed_`
    std::size_t printed_ = 0;
};

TestReport Tests::report() const {
    TestReport result;
    result.command = command_line(options_.words);
    std::map<std::string, std::map<Covers::key_type, CoverResult>> covers; // by network
    for (std::size_t k = 0; k < tests_.size(); ++k) {
        const Test& test = tests_[k];
        const Verdict& verdict = verdicts_[k];
        const std::string label = test.label();
        result.tests.push_back(
            {test.network, label.substr(std::min(label.size(), test.network.size() + 1)),
             !verdict.has_run() ? TestResult::State::left_out
             : verdict.passed() ? TestResult::State::passed
                                : TestResult::State::failed,
             verdict.seconds, verdict.failed() ? explanation(k) : "", verdict.waves});
        for (const auto& [key, held] : verdict.covers) {
            const auto& [line, column, text] = key;
            CoverResult& cover = covers[test.network][key];
            cover.network = test.network;
            cover.place = fmt::format("{}:{}:{}", test.network, line, column);
            cover.text = text;
            cover.held += held;
            cover.tests += held > 0 ? 1u : 0u;
        }
    }
    for (const auto& [network, all] : covers)
        for (const auto& [key, cover] : all)
            result.covers.push_back(cover);
    if (options_.coverage.empty())
        return result;
    result.lines.emplace();
    for (const Verdict& verdict : verdicts_)
        coverage::add_lcov(verdict.coverage, *result.lines);
    return result;
}

} // namespace

int test_command(const Options& options) {
    int found = exit_code::fine;
    std::vector<Unloaded> unloaded;
    std::vector<Test> tests = find_tests(options, found, unloaded);
    FailedTests known;
    if (options.repeat_failed)
        known.select(tests);
    if (options.list) {
        for (const Test& test : tests)
            fmt::print("{}\n", shown_text(test.label()));
        return found;
    }
    const bool none = tests.empty();
    if (none && found == exit_code::fine)
        report_error(Code::bad_option, options.only.empty()
                                           ? "there are no tests here"
                                           : fmt::format("no test matches '{}'; --list shows "
                                                         "their names",
                                                         options.only));
    catch_signals();
    const std::shared_ptr<FileAccess> files = file_access(options);
    if (!options.junit.empty())
        if (const int refused = claim_output(*files, junit_file(options.junit)))
            return refused;
    if (!options.page.empty())
        if (const int refused = claim_output(*files, report_file(options.page)))
            return refused;
    for (const std::string& path : options.coverage) {
        if (!path.ends_with(".info")) {
            report_error(Code::bad_option,
                         fmt::format("'{}': the coverage of tests is a file for lcov, whose name "
                                     "ends in .info",
                                     path));
            return exit_code::usage;
        }
        if (const int refused = claim_output(*files, coverage_file(path)))
            return refused;
    }
    Tests all{options, std::move(tests)};
    all.run();
    all.note(known);
    known.keep();
    TestReport report = all.report();
    for (const Unloaded& each : unloaded)
        report.tests.push_back(
            {each.network, "", TestResult::State::not_loaded, 0, each.problem, ""});
    for (const CoverResult& cover : report.covers)
        if (cover.held == 0)
            fmt::print("  {:<12} {}\n", "not covered", shown_text(missing_text(cover)));
    const std::size_t passed = report.count(TestResult::State::passed),
                      failed = report.count(TestResult::State::failed),
                      left_out = report.count(TestResult::State::left_out);
    if (!none)
        fmt::print("{}: {} passed, {} failed{}\n", counted(passed + failed, "test", "tests"),
                   passed, failed, left_out > 0 ? fmt::format(", {} not run", left_out) : "");
    std::vector<std::pair<std::string, std::string>> written; // path and text
    if (!options.junit.empty())
        written.emplace_back(options.junit, report.junit());
    if (!options.page.empty())
        written.emplace_back(options.page, report.page());
    if (report.lines) {
        fmt::print("{}", coverage_summary(*report.lines));
        for (const std::string& path : options.coverage)
            written.emplace_back(path, coverage::lcov_text(*report.lines, "tests"));
    }
    for (const auto& [path, text] : written) {
        OutputFile file{path};
        file.write(text);
        if (!file.commit()) {
            report_error(Code::file_unwritable, file.problem());
            return exit_code::file;
        }
    }
    if (interrupted())
        return signal_exit_code();
    if (none)
        return std::max<int>(found, exit_code::usage);
    int code = all.exit_code();
    if (code == exit_code::fine && !report.covers_all() && options.only.empty() &&
        !options.repeat_failed)
        code = exit_code::model_failed;
    return code == exit_code::fine || (code != exit_code::model_failed && found > 0) ? found : code;
}

} // namespace sme::cli
