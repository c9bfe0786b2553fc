// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/catalogue.hpp"
#include "base/codes.hpp"
#include "cli/commands.hpp"
#include "cli/reports/findings.hpp"

namespace sme::cli {

namespace {

std::string_view word(Severity severity) {
    return severity == Severity::warning ? "warning"
           : severity == Severity::error ? "error"
                                         : "fault";
}

std::string indented(const std::string& text) {
    std::string made;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && c != '\n')
            made += "  ";
        made += c;
        line_start = c == '\n';
    }
    return made;
}

void print_example(const char* title, const Example& example) {
    for (const Example::File& file : example.files)
        fmt::print("\n{}, {}:\n\n{}", title, file.name, indented(file.text));
    if (!example.session.empty())
        fmt::print("\n{}:\n\n{}", example.files.empty() ? title : "In a shell",
                   indented(example.session));
}

int list_codes() {
    std::size_t widest = 0;
    for (const CodeInfo& code : all_codes())
        widest = std::max(widest, code.slug.size());
    fmt::print("'sme explain CODE' tells more about one of these, with examples:\n\n");
    for (const CodeInfo& code : all_codes())
        fmt::print("  {:<{}}  {}\n", code.slug, widest, code.meaning);
    return exit_code::fine;
}

int unknown_code(const std::string& slug) {
    std::vector<std::string> slugs;
    for (const CodeInfo& code : all_codes())
        slugs.emplace_back(code.slug);
    const std::string near = did_you_mean(slug, slugs);
    complain(Code::bad_option, fmt::format("there is no code '{}'{} 'sme explain' lists all", slug,
                                           near.empty() ? ";" : near));
    return exit_code::usage;
}

} // namespace

int explain_command(const Options& options) {
    std::string slug = options.argument;
    if (slug.empty())
        return list_codes();
    if (slug.size() > 2 && slug.front() == '[' && slug.back() == ']') // as in messages
        slug = slug.substr(1, slug.size() - 2);
    const auto code = std::find_if(all_codes().begin(), all_codes().end(),
                                   [&](const CodeInfo& each) { return each.slug == slug; });
    if (code == all_codes().end())
        return unknown_code(slug);
    const Explanation entry = explanation(slug);
    fmt::print("{} ({}): {}\n", code->slug, word(code->severity), code->meaning);
    if (!entry.text.empty())
        fmt::print("\n{}\n", entry.text);
    print_example("Wrong", entry.wrong);
    print_example("Right", entry.right);
    return exit_code::fine;
}

} // namespace sme::cli
