// SPDX-License-Identifier: Apache-2.0
//
// Compares LANGUAGE.md, the reference of the language, with the tables of the loader.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "base/codes.hpp"
#include "expr/typing/builtins.hpp"
#include "yaml/read/format.hpp"

using namespace sme;

namespace {

std::string reference() {
    std::ifstream file{std::filesystem::path{SME_SOURCE_DIR} / "LANGUAGE.md", std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// Returns the first capture of `pattern` at each match in the reference.
std::set<std::string> captured(const std::string& text, const char* pattern) {
    const std::regex expression{pattern};
    std::set<std::string> found;
    for (std::sregex_iterator at{text.begin(), text.end(), expression}, end; at != end; ++at)
        found.insert((*at)[1].str());
    return found;
}

bool has_word(const std::string& text, std::string_view word) {
    const auto part_of_name = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if (!(at > 0 && part_of_name(at - 1)) && !part_of_name(at + word.size()))
            return true;
    return false;
}

std::string lower_case(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

} // namespace

TEST_CASE("the reference of the language names every key and every built-in function") {
    const std::string text = reference();
    for (const auto& keys :
         {yaml::format::network, yaml::format::component, yaml::format::library,
          yaml::format::process, yaml::format::function, yaml::format::instance,
          yaml::format::against, yaml::format::verilog, yaml::format::verilog_reset,
          yaml::format::input, yaml::format::output, yaml::format::run, yaml::format::check,
          yaml::format::step, yaml::format::choice})
        for (const yaml::Key& key : keys) {
            CAPTURE(key.name);
            CHECK(has_word(text, key.name));
        }
    for (const expr::Builtin& function : expr::builtins()) {
        CAPTURE(function.name);
        CHECK(has_word(text, function.name));
    }
}

TEST_CASE("every section of the reference names codes of the registry") {
    const std::string text = reference();
    std::set<std::string> known;
    for (const CodeInfo& each : all_codes())
        known.emplace(each.slug);
    const auto lines = captured(text, "\n\\*\\*Diagnostics\\*\\*: ([^\n]*)");
    CHECK(lines.size() >= 30);
    for (const std::string& line : lines)
        for (const std::string& code : captured(line, "`([a-z]+-[a-z-]+)`")) {
            CAPTURE(code);
            CHECK(known.count(code) == 1);
        }
}

TEST_CASE("the index of the reference links every section") {
    const std::string text = reference();
    const std::string index = lower_case(text.substr(0, text.find("\n## ")));
    const auto sections = captured(text, "\n## ([^\n]*)");
    CHECK(sections.size() >= 40);
    for (const std::string& section : sections) {
        CAPTURE(section);
        CHECK(index.find("[" + lower_case(section) + "](#") != std::string::npos);
    }
}
