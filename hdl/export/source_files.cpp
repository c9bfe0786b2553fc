// SPDX-License-Identifier: Apache-2.0
#include "export/source_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"

namespace sme::hdl {

namespace {

namespace fs = std::filesystem;

/// Splits Verilog into words, without comments; a quoted string is one word, including its quotes.
class VerilogWords {
public:
    explicit VerilogWords(std::string_view text) : text_{text} {}

    /// Returns the next word; empty at the end.
    std::string_view next() {
        skip();
        const std::size_t begin = at_;
        if (at_ == text_.size())
            return {};
        if (text_[at_] == '"') {
            for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
                if (text_[at_] == '\\')
                    ++at_;
            at_ = std::min(at_ + 1, text_.size());
        } else if (text_[at_] == '`' || is_letter(text_[at_]))
            for (++at_; at_ < text_.size() && is_letter(text_[at_]); ++at_) {
            }
        else
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

private:
    static bool is_letter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '$';
    }
    void skip() {
        while (at_ < text_.size()) {
            if (text_.substr(at_, 2) == "//")
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (text_.substr(at_, 2) == "/*") {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else if (std::string_view{" \t\r\n\f"}.find(text_[at_]) != std::string_view::npos)
                ++at_;
            else
                return;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool opens_module(std::string_view word) {
    constexpr std::array<std::string_view, 6> all{"module",  "macromodule", "interface",
                                                  "package", "primitive",   "program"};
    return std::find(all.begin(), all.end(), word) != all.end();
}

/// Adds a first line that marks the file as safe to overwrite.
std::string copy_of(const std::string& name, const std::string& text) {
    return fmt::format("// A copy of '{}', of a process of the network\n{}", name, text);
}

constexpr std::size_t max_bytes = std::size_t{64} << 20;

} // namespace

/// Reports text that is not plain Verilog, and clocks that a written network does not have.
void SourceFiles::refuse_foreign(const VerilogInstance& instance, const std::string& process) {
    const VerilogModule& module = instance.module;
    for (const VerilogClock& clock : module.clocks)
        if (!clock.rate.is_every_cycle() && clock.domain == no_domain)
            diagnostics_.add(Code::bad_call, clock.port.where,
                             fmt::format("clock '{}' of process '{}' is {}, but a network that is "
                                         "written has no such clock; declare one under 'domains' "
                                         "and give the module its name",
                                         clock.port.text, process, clock.rate.text()));
    if (!module.sources.empty())
        diagnostics_.add(Code::bad_call, module.sources[0].where,
                         fmt::format("module '{}' calls functions of C, which cannot go out with a "
                                     "network",
                                     module.top.text));
    for (const VerilogPort& port : instance.ports)
        if (port.in_interface) {
            diagnostics_
                .add(Code::bad_call, module.where,
                     fmt::format("module '{}' has ports that are interfaces, which no port of a "
                                 "network that is written can be connected to; write a module "
                                 "around it whose ports are their signals",
                                 module.top.text))
                .note(port.declared, fmt::format("'{}' is a signal of one", port.name));
            return;
        }
    for (const VerilogPort& port : instance.ports)
        if (port.of_inout) {
            diagnostics_
                .add(Code::bad_call, module.where,
                     fmt::format("module '{}' has an inout, which no port of a network that is "
                                 "written can be connected to; write a module around it with ports "
                                 "for both directions",
                                 module.top.text))
                .note(port.declared, fmt::format("'{}' is a part of it", port.name));
            return;
        }
    for (const VerilogPort& port : instance.ports)
        if (port.elements > 0)
            diagnostics_
                .add(Code::bad_call, module.where,
                     fmt::format("port '{}' of module '{}' is an unpacked array, which no port of "
                                 "a network that is written can be connected to; write a module "
                                 "around it whose port is a vector",
                                 port.name, module.top.text))
                .note(port.declared, fmt::format("port '{}' is declared here", port.name));
}

void SourceFiles::add(const VerilogInstance& instance, const std::string& process) {
    const VerilogModule& module = instance.module;
    refuse_foreign(instance, process);
    if (!module.lists.empty())
        diagnostics_.add(Code::bad_call, module.lists[0].where,
                         fmt::format("module '{}' has lists of arguments, which cannot go out with "
                                     "a network; name its files under 'files', and the others of "
                                     "them under 'include' and 'define'",
                                     module.top.text));
    modules_.push_back({&module, {}, {}});
    for (const Placed& file : module.files)
        add_file(file, module);
    for (const Placed& argument : module.plusargs)
        if (std::find(plusargs_.begin(), plusargs_.end(), argument.text) == plusargs_.end())
            plusargs_.push_back(argument.text);
    reset_cycles_ = std::max(reset_cycles_, module.reset_cycles());
}

void SourceFiles::finish() {
    for (const Used& used : modules_)
        for (const Placed& define : used.module->define) {
            if (std::find(defines_.begin(), defines_.end(), define.text) == defines_.end())
                defines_.push_back(define.text);
            for (const Used& other : modules_)
                compare_define(define, used, other);
        }
}

/// Reports a definition that also changes the files of another module: tools read all files of a
/// written network with all definitions.
void SourceFiles::compare_define(const Placed& define, const Used& used, const Used& other) {
    const std::string name = define.text.substr(0, define.text.find('='));
    for (const Placed& each : other.module->define)
        if (each.text == define.text)
            return;
    VerilogWords words{other.text};
    for (std::string_view word = words.next(); !word.empty(); word = words.next())
        if (word == name || (word[0] == '`' && word.substr(1) == name)) {
            diagnostics_
                .add(Code::bad_call, other.module->where,
                     fmt::format("module '{}' has no definition '{}', but module '{}' has, and "
                                 "the files of a network that is written are read with the same; "
                                 "make it a parameter",
                                 other.module->top.text, define.text, used.module->top.text))
                .note(define.where, "it is defined here");
            return;
        }
}

void SourceFiles::add_file(const Placed& file, const VerilogModule& module) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file.text, error);
    const FileText read = read_file(file.text, max_bytes);
    if (!read.text) {
        diagnostics_.add(Code::file_unreadable, file.where, read.problem);
        return;
    }
    modules_.back().text += *read.text;
    add_included(*read.text, fs::path{file.text}.parent_path().string(), module);
    add_data(*read.text, file, module);
    if (!read_.insert(error ? file.text : path.string()).second)
        return;
    const std::string stem = path.stem().string(), extension = path.extension().string();
    // names written for the network end like this
    std::string name = stem.ends_with("_bench") || stem.ends_with("_self") ? stem + "_1" : stem;
    for (int k = 2; names_.count(name + extension) != 0; ++k)
        name = fmt::format("{}_{}", stem, k);
    names_[name + extension] = *read.text;
    taken_.insert(name);
    sources_.push_back({name + extension, copy_of(path.filename().string(), *read.text)});
    take_names(*read.text, file);
}

void SourceFiles::take_names(const std::string& text, const Placed& file) {
    VerilogWords words{text};
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (!opens_module(word))
            continue;
        word = words.next();
        if (word == "static" || word == "automatic")
            word = words.next();
        const std::string name{word};
        const auto [place, result] = module_in_.try_emplace(name, text);
        if (!result && place->second != text)
            diagnostics_.add(
                Code::bad_call, file.where,
                fmt::format("'{}' is declared in '{}' and in a file of another process, "
                            "but in a network that is written there is one of each "
                            "name; rename one",
                            name, file.text));
        taken_.insert(name);
    }
}

/// Adds the files that initialize memories, named in the text or by a parameter: they lie in the
/// working folder or beside the Verilog, and are written under their names.
void SourceFiles::add_data(const std::string& text, const Placed& file,
                           const VerilogModule& module) {
    std::vector<std::string> named;
    bool reads = false;
    VerilogWords words{text};
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word != "$readmemh" && word != "$readmemb")
            continue;
        reads = true;
        words.next();
        named.emplace_back(words.next());
    }
    if (!reads)
        return;
    for (const VerilogModule::Parameter& parameter : module.parameters)
        named.push_back(parameter.value);
    for (const std::string& name : named) {
        if (name.size() < 3 || name.front() != '"')
            continue;
        const std::string path = name.substr(1, name.size() - 2);
        std::error_code error;
        const bool here = fs::exists(path, error);
        const FileText read =
            read_file(here ? path : (fs::path{file.text}.parent_path() / path).string(), max_bytes);
        if (fs::path{path}.is_absolute() || !read.text || (here && path.find("..") != path.npos))
            continue; // its path is fixed, relative to the working folder
        const auto [place, result] = names_.try_emplace(path, *read.text);
        if (path.find("..") != std::string::npos || place->second != *read.text)
            diagnostics_.add(
                Code::bad_call, file.where,
                fmt::format("module '{}' reads '{}', which cannot be copied beside the "
                            "written network; rename it",
                            module.top.text, path));
        else if (result)
            included_.push_back({path, *read.text});
    }
}

/// Adds files under their names in `include`.
void SourceFiles::add_included(const std::string& text, const std::string& folder,
                               const VerilogModule& module) {
    VerilogWords words{text};
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word != "`include")
            continue;
        word = words.next();
        if (word.size() < 3 || word.front() != '"')
            continue;
        const std::string name{word.substr(1, word.size() - 2)};
        std::vector<std::string> folders{folder.empty() ? "." : folder};
        for (const Placed& each : module.include)
            folders.push_back(each.text);
        folders.emplace_back(".");
        for (const std::string& each : folders) {
            const fs::path path = fs::path{each} / name;
            const FileText read = read_file(path.string(), max_bytes);
            if (!read.text)
                continue;
            const auto [place, result] = names_.try_emplace(name, *read.text);
            if (fs::path{name}.is_absolute() || name.find("..") != std::string::npos ||
                place->second != *read.text)
                diagnostics_.add(
                    Code::bad_call, module.where,
                    fmt::format("module '{}' includes '{}', which cannot be copied beside "
                                "the written network{}; rename it",
                                module.top.text, name,
                                place->second == *read.text ? ""
                                                            : ", where another file has its name"));
            else if (result)
                included_.push_back({name, copy_of(name, *read.text)});
            if (modules_.back().included.insert(path.string()).second) {
                modules_.back().text += *read.text;
                add_included(*read.text, path.parent_path().string(), module);
            }
            break;
        }
    }
}

} // namespace sme::hdl
