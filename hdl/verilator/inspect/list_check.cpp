// SPDX-License-Identifier: Apache-2.0
//
// The checker splits a list into words wherever Verilator might: quotes and backslashes, which join
// words in Verilator, do not do so here. So it sees every word that could start an option.
#include "verilator/inspect/list_check.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_list_bytes = std::size_t{16} << 20;
constexpr unsigned max_depth = 20; // of nested lists

/// Options of one word, and prefixes of options.
constexpr std::array whole_words{"-sv",        "-assert",         "-bbox-sys", "-bbox-unsup",
                                 "+librescan", "+notimingchecks", "-Wall",     "-Wno-lint",
                                 "-Wno-style", "-Wno-fatal"};
constexpr std::array begins{"+incdir+",
                            "+define+",
                            "+libext+",
                            "-I",
                            "-D",
                            "-U",
                            "-Wno-",
                            "-Wwarn-",
                            "+1364-1995ext+",
                            "+1364-2001ext+",
                            "+1364-2005ext+",
                            "+1800-2005ext+",
                            "+1800-2009ext+",
                            "+1800-2012ext+",
                            "+1800-2017ext+",
                            "+verilog1995ext+",
                            "+verilog2001ext+",
                            "+systemverilogext+"};
/// Options followed by a word: a folder or a file.
constexpr std::array followed{"-y", "-v", "-f", "-F"};

constexpr std::array verilog_endings{".v",  ".sv",  ".vh",  ".svh", ".h",
                                     ".vp", ".svp", ".inc", ".vlt"};

struct Word {
    std::string text;
    std::uint32_t begin;
    std::uint32_t end;
};

/// Returns the words of a list without its comments, which begin and end as in Verilator.
std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    bool in_comment = false;
    bool in_word = false;
    const auto add = [&](std::size_t at) {
        if (!in_word)
            words.push_back({{}, static_cast<std::uint32_t>(at), 0});
        in_word = true;
        if (text[at] != '"' && text[at] != '\'' && text[at] != '\\')
            words.back().text += text[at];
        words.back().end = static_cast<std::uint32_t>(at + 1);
    };
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        bool only_spaces = true;
        char last = ' ';
        for (std::size_t at = begin; at < end; last = text[at++]) {
            const char c = text[at], next = at + 1 < end ? text[at + 1] : '\n';
            const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
            if (in_comment) {
                if (c == '*' && next == '/') {
                    in_comment = false;
                    ++at;
                }
                continue;
            }
            if ((c == '/' && next == '/' &&
                 (at == begin || std::isspace(static_cast<unsigned char>(last)))) ||
                (c == '#' && only_spaces))
                break;
            if (c == '/' && next == '*') {
                in_comment = true;
                only_spaces = false;
                ++at;
                continue;
            }
            only_spaces = only_spaces && space;
            if (space)
                in_word = false;
            else
                add(at);
        }
        in_word = false;
        begin = end + 1;
    }
    return words;
}

class Checker {
public:
    Checker(Diagnostics& diagnostics, const std::function<void(const std::string&)>& reads)
        : diagnostics_{diagnostics}, reads_{reads} {}
    /// Environment variables named in the lists, by name.
    std::map<std::string, std::string> variables;

    /// Checks a list whose names are relative to `folder`.
    void check(const std::string& path, const std::string& folder, const Location& asked_at,
               unsigned depth) {
        if (depth > max_depth) {
            diagnostics_.add(Code::bad_option, asked_at, "lists name each other too deeply");
            return;
        }
        FileText file = read_file(path, max_list_bytes);
        if (!file.text) {
            diagnostics_.add(file.too_large ? Code::file_too_large : Code::file_unreadable,
                             asked_at, fmt::format("cannot read '{}': {}", path, file.problem));
            return;
        }
        for (const std::string_view mark : {byte_order_mark, std::string_view{"\xff\xfe"}})
            if (file.text->starts_with(mark)) {
                diagnostics_.add(Code::bad_option, asked_at,
                                 fmt::format("'{}' begins with a byte-order mark, which Verilator "
                                             "takes for a part of its first word; save it as UTF-8 "
                                             "without one",
                                             path));
                return;
            }
        if (reads_)
            reads_(path);
        const auto source = std::make_shared<Source>(path, std::move(*file.text));
        const std::vector<Word> words = words_of(source->text());
        substituted(source->text(),
                    [&](const std::string& name, const char* value) { variables[name] = value; });
        for (std::size_t k = 0; k < words.size(); ++k) {
            Location where;
            where.source = source;
            where.begin = words[k].begin;
            where.end = words[k].end;
            const std::string option = without_second_dash(words[k].text);
            if (std::find(followed.begin(), followed.end(), option) != followed.end()) {
                if (k + 1 == words.size() || is_option(words[k + 1].text))
                    refuse(words[k].text, "is followed by a file or a folder", where, asked_at);
                else
                    follow(option, words[++k].text, folder, asked_at, depth);
            } else if (is_option(option))
                judge(option, words[k].text, folder, where, asked_at);
            else
                judge_file(words[k].text, folder, where, asked_at);
        }
    }

private:
    static bool is_option(std::string_view word) {
        return word.starts_with('-') || word.starts_with('+');
    }
    static std::string without_second_dash(const std::string& word) {
        return word.starts_with("--") ? word.substr(1) : word;
    }
    static std::string beside(const std::string& folder, const std::string& written) {
        const std::string name = substituted(written);
        return folder.empty() ? name : (fs::path{folder} / name).string();
    }

    /// Reports a word. Does not show the line, which may come from any file.
    void refuse(const std::string& word, const std::string& why, const Location& where,
                const Location& asked_at) {
        const std::size_t end = word.find_first_of("=+", 1);
        diagnostics_.add(Code::bad_option, asked_at,
                         fmt::format("'{}' in line {} of '{}' {}", word.substr(0, end),
                                     where.source->position(where.begin).line, where.source->path(),
                                     why));
    }

    void judge(const std::string& option, const std::string& word, const std::string& folder,
               const Location& where, const Location& asked_at) {
        constexpr std::string_view include = "+incdir+";
        const std::string name = option.starts_with(include) ? option.substr(include.size()) : "";
        std::error_code error;
        if (name.find('+') != name.npos && fs::is_directory(beside(folder, name), error))
            refuse(word,
                   "names a folder with '+', where newer Verilators end the name; write -I "
                   "and the folder",
                   where, asked_at);
        const bool allowed =
            std::find(whole_words.begin(), whole_words.end(), option) != whole_words.end() ||
            std::any_of(begins.begin(), begins.end(),
                        [&](const char* begin) { return option.starts_with(begin); });
        if (!allowed)
            refuse(word,
                   "is not allowed in a list; options there are +incdir+, +define+, +libext+, -I, "
                   "-D, -U, -y, -v, -f, -F, -sv or -Wno-",
                   where, asked_at);
    }

    void follow(const std::string& option, const std::string& name, const std::string& folder,
                const Location& asked_at, unsigned depth) {
        const std::string path = beside(folder, name);
        if (option == "-f")
            check(path, {}, asked_at, depth + 1);
        else if (option == "-F")
            check(path, fs::path{path}.parent_path().string(), asked_at, depth + 1);
        else if (reads_)
            reads_(path);
    }

    /// Checks a word without an option. Does not show a word that is not a file name: it may come
    /// from any file.
    void judge_file(const std::string& name, const std::string& folder, const Location& where,
                    const Location& asked_at) {
        const bool verilog =
            std::any_of(verilog_endings.begin(), verilog_endings.end(),
                        [&](const char* ending) { return name.ends_with(ending); });
        std::error_code error;
        if (!verilog)
            diagnostics_.add(Code::bad_option, asked_at,
                             fmt::format("line {} of '{}' has a word that is neither an option nor "
                                         "a file of Verilog (.v, .sv, .vh, .svh, .h, .vlt)",
                                         where.source->position(where.begin).line,
                                         where.source->path()));
        else if (!fs::exists(beside(folder, name), error))
            diagnostics_.add(Code::file_unreadable, asked_at,
                             fmt::format("there is no file '{}'", beside(folder, name)));
        else if (reads_)
            reads_(beside(folder, name));
    }

    Diagnostics& diagnostics_;
    const std::function<void(const std::string&)>& reads_;
};

} // namespace

namespace {

void check_all(const VerilogModule& module, Checker& checker) {
    for (const Placed& list : module.lists)
        checker.check(list.text, fs::path{list.text}.parent_path().string(), list.where, 0);
}

} // namespace

void check_lists(const VerilogModule& module, Diagnostics& diagnostics,
                 const std::function<void(const std::string&)>& reads) {
    Checker checker{diagnostics, reads};
    check_all(module, checker);
}

std::string variables_of_lists(const VerilogModule& module) {
    Diagnostics quiet;
    const std::function<void(const std::string&)> unread;
    Checker checker{quiet, unread};
    check_all(module, checker);
    std::string text;
    for (const auto& [name, value] : checker.variables)
        text += fmt::format("{}={}\n", name, value);
    return text;
}

std::string substituted(std::string_view name,
                        const std::function<void(const std::string&, const char*)>& use) {
    std::string result;
    while (!name.empty()) {
        const std::size_t from = name.size() > 1 && (name[1] == '{' || name[1] == '(') ? 2 : 1;
        std::size_t end = from;
        while (end < name.size() &&
               (std::isalnum(static_cast<unsigned char>(name[end])) != 0 || name[end] == '_'))
            ++end;
        const std::string variable{name.front() == '$' ? name.substr(from, end - from) : ""};
        const char* const value = variable.empty() ? nullptr : std::getenv(variable.c_str());
        if (value && use)
            use(variable, value);
        result += value ? std::string{value} : std::string{name.front()};
        name.remove_prefix(value ? std::min(end + from - 1, name.size()) : 1);
    }
    return result;
}

} // namespace sme::verilator
