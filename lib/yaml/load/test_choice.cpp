// SPDX-License-Identifier: Apache-2.0
//
// A test is the network with other parameters and with more inputs, outputs and checks. The parsed
// sections are joined before anything is loaded, so everything after that sees one network.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "yaml/load/loaders.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

/// "burst[1][2]": a name and indices.
struct TestName {
    std::string family;
    std::vector<Integer> indices;
};

std::optional<TestName> read_name(const std::string& text) {
    TestName result;
    const std::size_t open = text.find('[');
    result.family = text.substr(0, open);
    for (std::size_t at = open; at < text.size();) {
        const std::size_t close = text.find(']', at);
        const auto index = close == text.npos || text[at] != '['
                               ? std::nullopt
                               : parse_integer(text.substr(at + 1, close - at - 1));
        if (!index)
            return std::nullopt;
        result.indices.push_back(*index);
        at = close + 1;
    }
    return result;
}

/// The index of a family is a parameter with that value.
ParameterSyntax index_parameter(const expr::RangeText& range, Integer value) {
    Diagnostics none;
    const expr::Text text = option_text(range.index, to_string(value));
    return {ParameterSyntax::Kind::number,
            {range.index, range.where},
            {},
            expr::parse_expression(text, none)};
}

/// Replaces the entry with the same key, or adds one.
template <class Entry> void put(std::vector<Entry>& entries, const Entry& entry) {
    const auto same = std::find_if(entries.begin(), entries.end(),
                                   [&](const Entry& other) { return other.key == entry.key; });
    if (same != entries.end())
        *same = entry;
    else
        entries.push_back(entry);
}

/// Reads "7" or "1..20" into a test; false after an error was reported.
bool read_seeds(const Word& seeds, TestCase& into, Diagnostics& diagnostics) {
    const std::size_t dots = seeds.text.find("..");
    const auto first = parse_integer(seeds.text.substr(0, dots));
    const auto last = dots == seeds.text.npos ? first : parse_integer(seeds.text.substr(dots + 2));
    constexpr Integer most = 1'000'000; // runs of one test
    const bool valid = first && last && *first >= 0 && *last <= Integer{~std::uint64_t{0}} &&
                       *first <= *last && *last - *first < most;
    if (!valid) {
        diagnostics.add(Code::bad_option, seeds.where,
                        fmt::format("seeds are a number from 0, or a range of at most {} of them, "
                                    "as in 1..20, but this is '{}'",
                                    to_string(most), seeds.text));
        return false;
    }
    into.first_seed = static_cast<std::uint64_t>(*first);
    into.last_seed = static_cast<std::uint64_t>(*last);
    return true;
}

} // namespace

void merge(const RunSyntax& run, const std::optional<ChecksSyntax>& checks, FileSyntax& into) {
    for (const InputSyntax& input : run.inputs) {
        std::erase_if(into.run.inputs, [&](const InputSyntax& known) { // a member replaces all
            return known.open && known.bus.text == input.bus.text && known.key != input.key;
        });
        put(into.run.inputs, input);
    }
    for (const OutputSyntax& output : run.outputs)
        put(into.run.outputs, output);
    if (run.cycles) {
        into.run.cycles = run.cycles;
        into.run.cycles_where = run.cycles_where;
    }
    if (run.trace)
        into.run.trace = run.trace;
    into.run.assumptions.insert(into.run.assumptions.end(), run.assumptions.begin(),
                                run.assumptions.end());
    if (!checks)
        return;
    if (!into.body.checks)
        into.body.checks = ChecksSyntax{checks->where, {}};
    into.body.checks->checks.insert(into.body.checks->checks.end(), checks->checks.begin(),
                                    checks->checks.end());
}

bool choose_test(FileSyntax& file, Context& context) {
    const std::string& wanted = context.loading.options.test;
    if (wanted.empty())
        return true;
    const auto fail = [&](const std::string& message) {
        context.diagnostics.add(Code::bad_option, context.design.graph.declared, message);
        return false;
    };
    const std::optional<TestName> name = read_name(wanted);
    if (!name)
        return fail(
            fmt::format("'{}' is not the name of a test, such as burst or burst[1]", wanted));
    const auto test =
        std::find_if(file.tests.begin(), file.tests.end(),
                     [&](const TestSyntax& each) { return each.name.name == name->family; });
    if (test == file.tests.end()) {
        if (context.diagnostics.has_errors())
            return false; // it may be the test that could not be read
        std::vector<std::string> names;
        for (const TestSyntax& each : file.tests)
            names.push_back(each.name.name);
        return fail(fmt::format("the network has no test '{}'{}", name->family,
                                did_you_mean(name->family, names)));
    }
    if (name->indices.size() != test->name.ranges.size())
        return fail(fmt::format(
            "test '{}' has {} ind{}, but '{}' has {}", name->family, test->name.ranges.size(),
            test->name.ranges.size() == 1 ? "ex" : "ices", wanted, name->indices.size()));
    std::vector<ParameterSyntax> indices;
    for (std::size_t k = 0; k < name->indices.size(); ++k)
        if (const expr::RangeText& range = test->name.ranges[k]; !range.index.empty())
            indices.push_back(index_parameter(range, name->indices[k]));
    for (const GivenSyntax& given : test->set) // --set comes first
        context.given.insert(
            {given.name.text, {given.text, given.ast, given.name.where, &context}});
    auto& parameters = file.names.parameters;
    parameters.insert(parameters.begin(), indices.begin(), indices.end());
    merge(test->run, test->body.checks, file);
    if (test->body.sequence)
        add_driver(*test, file);
    return true;
}

namespace {

/// Reads "x=rows.csv", "x=random" or "x={0: 5}"; nothing after an error was reported.
std::vector<InputSyntax> read_given_input(const std::string& given, Diagnostics& diagnostics) {
    const std::size_t equals = given.find('=');
    const std::string bus = given.substr(0, equals);
    std::string value = equals == given.npos ? std::string{} : given.substr(equals + 1);
    if (bus.empty() || value.empty()) {
        diagnostics.add(Code::bad_option, {},
                        fmt::format("--input is given as BUS=SOURCE, as in x=rows.csv, x=random or "
                                    "x={{0: 5}}, but this is '{}'",
                                    given));
        return {};
    }
    const bool is_word = value == format::random_input || value == format::open_input;
    if (!is_word && value[0] != '{') {
        std::error_code error; // of a working folder that is gone
        if (const auto path = std::filesystem::absolute(value, error); !error)
            value = path.string();
        std::string quoted;
        for (const char c : value)
            quoted += c == '\'' ? "''" : std::string{c};
        value = fmt::format("'{}'", quoted);
    }
    const auto source =
        std::make_shared<Source>("--input", fmt::format("inputs: {{{}: {}}}", bus, value));
    const std::optional<Node> root = parse_tree(source, diagnostics);
    return root ? read_run_sections(*root, diagnostics).inputs : std::vector<InputSyntax>{};
}

} // namespace

void give_inputs(FileSyntax& file, Context& context) {
    std::vector<InputSyntax>& all = file.run.inputs;
    for (const std::string& given : context.loading.options.inputs)
        for (InputSyntax& input : read_given_input(given, context.diagnostics)) {
            std::erase_if(all, [&](const InputSyntax& known) { // a family replaces its members
                return known.bus.text == input.bus.text &&
                       (!input.element || !known.element || known.key == input.key);
            });
            all.push_back(std::move(input));
        }
}

void list_tests(const std::vector<TestSyntax>& tests, Context& context) {
    for (const TestSyntax& test : tests) {
        TestCase found;
        found.has_random = draws_random(test.body) ||
                           std::any_of(test.run.inputs.begin(), test.run.inputs.end(),
                                       [](const InputSyntax& input) { return input.random; });
        if (test.seeds && !read_seeds(*test.seeds, found, context.diagnostics))
            continue;
        expr::FamilyName name = test.name;
        if (!context.loading.options.test.empty()) // the indices are parameters now
            for (expr::RangeText& range : name.ranges) {
                context.scope.find(range.index); // a test need not use it
                range.index.clear();
            }
        const std::optional<Shape> shape = read_shape(name, context);
        for (std::uint64_t k = 0; shape && k < shape->count(); ++k) {
            found.name = shape->element_name(test.name.name, k);
            context.design.tests.push_back(found);
        }
    }
    const std::string& wanted = context.loading.options.test;
    const std::vector<TestCase>& all = context.design.tests;
    if (!wanted.empty() && !context.diagnostics.has_errors() &&
        std::none_of(all.begin(), all.end(),
                     [&](const TestCase& each) { return each.name == wanted; }))
        context.diagnostics.add(
            Code::bad_option, context.design.graph.declared,
            fmt::format("there is no test '{}': its index is out of range", wanted));
}

} // namespace sme::yaml
