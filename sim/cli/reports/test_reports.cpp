// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/test_reports.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include "cli/reports/coverage_report.hpp"
#include "cli/reports/junit.hpp"

namespace sme::cli {

namespace {

using State = TestResult::State;

constexpr const char* style =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:1100px;margin:0 auto;padding:16px;"
    "color:#1d2430;background:#fff}"
    "h1{font-size:1.5rem;margin:8px 0}h2{font-size:1.1rem;margin:24px 0 6px}"
    "code,pre{font:13px/1.4 ui-monospace,monospace}"
    "pre{overflow-x:auto;padding:8px 12px;background:#f2f4f7;border-left:3px solid #b3261e;"
    "margin:6px 0}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}"
    "td,th{text-align:left;padding:3px 10px 3px 0;border-top:1px solid #dde1e7;"
    "vertical-align:top}"
    "th{font-weight:600;border:0}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".passed{color:#1a6b32}.failed,.none{color:#b3261e;font-weight:600}.out{color:#5d6675}"
    "summary{cursor:pointer;padding:3px 0}"
    "@media(prefers-color-scheme:dark){body{color:#e4e7ec;background:#14181f}"
    "pre{background:#1e242e}td{border-color:#313947}.passed{color:#6fce8b}"
    ".failed,.none{color:#ff8a80}.out{color:#98a2b3}}";

/// Adds an element with a text, and a class if there is one.
pugi::xml_node add(pugi::xml_node to, const char* name, const std::string& text = {},
                   const char* style_class = "") {
    pugi::xml_node made = to.append_child(name);
    if (*style_class != '\0')
        made.append_attribute("class") = style_class;
    if (!text.empty())
        made.append_child(pugi::node_pcdata).set_value(printable(text).c_str());
    return made;
}

/// Adds a table with a head; texts that begin with '#' head columns of numbers.
pugi::xml_node add_table(pugi::xml_node to, const std::vector<std::string>& heads) {
    pugi::xml_node table = add(add(to, "div", {}, "wide"), "table");
    pugi::xml_node row = add(table, "tr");
    for (const std::string& head : heads)
        if (head.starts_with('#'))
            add(row, "th", head.substr(1), "n");
        else
            add(row, "th", head);
    return table;
}

std::string share(std::uint64_t hit, std::uint64_t all) {
    return all == 0 ? "-" : fmt::format("{} of {}", hit, all);
}

void add_failures(const std::vector<TestResult>& tests, pugi::xml_node body) {
    constexpr int most_open = 3;
    int shown = 0;
    for (const TestResult& test : tests) {
        const bool loaded = test.state != State::not_loaded;
        if (test.state != State::failed && loaded)
            continue;
        pugi::xml_node details = add(body, "details");
        if (++shown <= most_open)
            details.append_attribute("open") = "open";
        pugi::xml_node summary = add(details, "summary");
        add(summary, "span", loaded ? "FAILED " : "NOT LOADED ", "failed");
        add(summary, "code", fmt::format("{} {}", test.network, test.name));
        std::string text;
        std::istringstream lines{test.explanation};
        for (std::string line; std::getline(lines, line);) // without the margin of the terminal
            text += line.substr(std::min<std::size_t>(6, line.find_first_not_of(' '))) + "\n";
        add(details, "pre", text);
        if (!test.waves.empty())
            add(details, "pre", test.waves);
    }
}

void add_tests(const std::vector<TestResult>& tests, pugi::xml_node body) {
    pugi::xml_node table = add_table(body, {"test", "result", "#seconds"});
    for (const TestResult& test : tests) {
        pugi::xml_node row = add(table, "tr");
        add(add(row, "td"), "code", fmt::format("{} {}", test.network, test.name));
        const bool has_run = test.state == State::passed || test.state == State::failed;
        constexpr std::pair<const char*, const char*> shown[] = {{"passed", "passed"},
                                                                 {"FAILED", "failed"},
                                                                 {"not run", "out"},
                                                                 {"NOT LOADED", "failed"}};
        const auto& [word, look] = shown[static_cast<std::size_t>(test.state)];
        add(row, "td", word, look);
        add(row, "td", has_run ? fmt::format("{:.3f}", test.seconds) : "-", "n");
    }
}

void add_covers(const std::vector<CoverResult>& covers, pugi::xml_node body) {
    pugi::xml_node table = add_table(body, {"cover", "place", "#times", "#in tests"});
    for (const CoverResult& cover : covers) {
        pugi::xml_node row = add(table, "tr");
        add(add(row, "td", {}, cover.held == 0 ? "none" : ""), "code", cover.text);
        add(add(row, "td"), "code", cover.place);
        add(row, "td", std::to_string(cover.held), cover.held == 0 ? "n none" : "n");
        add(row, "td", std::to_string(cover.tests), "n");
    }
}

void add_lines(const coverage::LineCoverage& lines, pugi::xml_node body) {
    pugi::xml_node table = add_table(body, {"file", "#lines", "#branches", "lines not reached"});
    for (const auto& [path, file] : lines) {
        std::vector<std::uint32_t> missed;
        for (const auto& [line, count] : file.lines)
            if (count == 0)
                missed.push_back(line);
        constexpr std::size_t most = 40;
        const bool more = missed.size() > most;
        missed.resize(std::min(missed.size(), most));
        pugi::xml_node row = add(table, "tr");
        add(add(row, "td"), "code", path);
        add(row, "td", share(file.lines_hit(), file.lines.size()), "n");
        add(row, "td", share(file.branches_hit(), file.branches_found()), "n");
        add(row, "td", fmt::format("{}{}", fmt::join(missed, ", "), more ? ", …" : ""));
    }
}

} // namespace

std::string missing_text(const CoverResult& cover) {
    return fmt::format("{}: no test has covered '{}'", cover.place, cover.text);
}

std::size_t TestReport::count(State state) const {
    return static_cast<std::size_t>(std::count_if(
        tests.begin(), tests.end(), [&](const TestResult& test) { return test.state == state; }));
}

bool TestReport::covers_all() const {
    return std::none_of(covers.begin(), covers.end(),
                        [](const CoverResult& cover) { return cover.held == 0; });
}

std::string TestReport::junit() const {
    std::map<std::string, std::vector<std::string>> missed; // by network
    for (const CoverResult& cover : covers) {
        std::vector<std::string>& none = missed[cover.network];
        if (cover.held == 0)
            none.push_back(missing_text(cover));
    }
    const auto uncovered = static_cast<std::size_t>(std::count_if(
        missed.begin(), missed.end(), [](const auto& each) { return !each.second.empty(); }));
    JunitSuite suite{title,
                     {tests.size() + missed.size(), count(State::failed) + uncovered,
                      count(State::not_loaded), count(State::left_out)}};
    for (const TestResult& test : tests) {
        pugi::xml_node result =
            suite.add_case(test.network, test.name.empty() ? test.network : test.name);
        result.append_attribute("time") = fmt::format("{:.3f}", test.seconds).c_str();
        if (test.state == State::left_out)
            result.append_child("skipped");
        else if (test.state == State::failed)
            add(result, "failure", test.explanation);
        else if (test.state == State::not_loaded)
            add(result, "error", test.explanation);
    }
    for (const auto& [network, none] : missed)
        if (pugi::xml_node result = suite.add_case(network, "cover"); !none.empty())
            add(result, "failure", fmt::format("{}\n", fmt::join(none, "\n")));
    return suite.text();
}

std::string TestReport::page() const {
    pugi::xml_document document;
    pugi::xml_node html = document.append_child("html");
    html.append_attribute("lang") = "en";
    pugi::xml_node head = add(html, "head");
    add(head, "meta").append_attribute("charset") = "utf-8";
    pugi::xml_node generator = add(head, "meta");
    generator.append_attribute("name") = "generator";
    generator.append_attribute("content") = "sme report of tests";
    pugi::xml_node view = add(head, "meta");
    view.append_attribute("name") = "viewport";
    view.append_attribute("content") = "width=device-width, initial-scale=1";
    const std::size_t failed = count(State::failed), left_out = count(State::left_out),
                      not_loaded = count(State::not_loaded);
    const std::string verdict =
        fmt::format("{} passed, {} failed{}{}", count(State::passed), failed,
                    left_out == 0 ? "" : fmt::format(", {} not run", left_out),
                    not_loaded == 0 ? "" : fmt::format(", {} not loaded", not_loaded));
    add(head, "title", title + ": " + verdict);
    add(head, "style", style);
    pugi::xml_node body = add(html, "body");
    add(body, "h1", verdict, failed + not_loaded > 0 ? "failed" : "passed");
    add(add(body, "p"), "code", command);
    add_failures(tests, body);
    if (!covers.empty()) {
        add(body, "h2", "What the tests have covered");
        add_covers(covers, body);
    }
    if (lines) {
        add(body, "h2", "Lines and branches of processes");
        add_lines(*lines, body);
    }
    add(body, "h2", "All tests");
    add_tests(tests, body);
    std::ostringstream text;
    document.save(text, "",
                  pugi::format_raw | pugi::format_no_declaration |
                      pugi::format_no_empty_element_tags);
    return "<!doctype html>\n" + text.str() + "\n";
}

} // namespace sme::cli
