// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

std::optional<TestSyntax> read_test(const Node& key, const Node& body, Diagnostics& diagnostics) {
    auto name = expr::parse_family_name(key.text, diagnostics);
    if (!name ||
        !is_map_or_empty(body, "a map with set, run, inputs, outputs and checks", diagnostics))
        return std::nullopt;
    const std::size_t errors = diagnostics.errors();
    check_keys(body, format::test, fmt::format("test '{}'", name->name), diagnostics);
    TestSyntax result;
    result.name = std::move(*name);
    if (const Node* const set = body.find("set"))
        result.set = read_given(*set, diagnostics);
    if (const Node* const seeds = body.find("seeds"); seeds && seeds->is_text())
        result.seeds = Word{seeds->text.text, seeds->where};
    else if (seeds)
        wrong_shape(*seeds, "a number, or a range, as in 1..20", diagnostics);
    result.run = read_run_sections(body, diagnostics);
    result.body = read_body(body, diagnostics);
    for (const char* const key : {"state", "let"})
        if (const Node* const section = body.find(key); section && !result.body.sequence)
            diagnostics.add(Code::missing_key, section->where,
                            fmt::format("'{}' belongs to the sequence of a test, but test '{}' has "
                                        "none",
                                        key, result.name.name));
    return diagnostics.errors() == errors ? std::optional{std::move(result)} : std::nullopt;
}

} // namespace

std::vector<TestSyntax> read_tests(const Node& root, Diagnostics& diagnostics) {
    std::vector<TestSyntax> result;
    each_entry(
        root, "tests", "a map of tests", diagnostics, [&](const Node& key, const Node& body) {
            auto test = read_test(key, body, diagnostics);
            if (!test)
                return;
            const auto before =
                std::find_if(result.begin(), result.end(), [&](const TestSyntax& other) {
                    return other.name.name == test->name.name;
                });
            if (before != result.end())
                diagnostics.add(Code::duplicate_name, key.where,
                                fmt::format("there is a test '{}' already", test->name.name));
            else
                result.push_back(std::move(*test));
        });
    return result;
}

std::vector<GivenSyntax> read_given(const Node& section, Diagnostics& diagnostics) {
    std::vector<GivenSyntax> result;
    if (!is_map_or_empty(section, "a map of parameters", diagnostics))
        return result;
    for (const auto& [key, value] : section.entries)
        if (!value.is_text())
            wrong_shape(value, "a number, a type or a file", diagnostics);
        else if (is_name(key, "a parameter", diagnostics))
            result.push_back(read_given(key, value));
    return result;
}

GivenSyntax read_given(const Node& key, const Node& value) {
    Diagnostics not_asked_for;
    return {
        {key.text.text, key.where}, value.text, expr::parse_expression(value.text, not_asked_for)};
}

} // namespace sme::yaml
