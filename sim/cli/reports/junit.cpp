// SPDX-License-Identifier: Apache-2.0
//
// JUnit XML, for continuous integration: one suite, with a test case for the run, each check and
// each recorded output. Times are omitted, so that equal runs give equal files.
#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "cli/reports/results.hpp"

namespace sme::cli {

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
