// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/verilator_output.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"

namespace sme::verilator {

namespace {

constexpr std::size_t max_source_bytes = std::size_t{64} << 20;

/// One message: "%Warning-WIDTH: file:line:column: text".
struct Message {
    bool error = false;
    std::string code; // "WIDTH"
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
    std::string text;
};

/// Removes a leading "file:line:column: " and stores it.
void take_place(std::string_view& rest, Message& message) {
    const std::size_t end = rest.find(": ");
    if (end == std::string_view::npos)
        return;
    const std::string_view place = rest.substr(0, end);
    const std::size_t second = place.rfind(':');
    const std::size_t first =
        second == std::string_view::npos || second == 0 ? second : place.rfind(':', second - 1);
    if (first == std::string_view::npos || second == first)
        return;
    const auto number = [&](std::size_t from, std::size_t to, unsigned& into) {
        const auto [stopped, error] = std::from_chars(place.data() + from, place.data() + to, into);
        return error == std::errc{} && stopped == place.data() + to;
    };
    if (!number(first + 1, second, message.line) ||
        !number(second + 1, place.size(), message.column))
        return;
    message.file = place.substr(0, first);
    rest.remove_prefix(end + 2);
}

/// Makes the message an error: without its delay the statement would have another meaning.
void refuse_delay(Message& message) {
    message.error = true;
    message.text = "a statement waits for a time, but a process has only the cycles of its clock; "
                   "take the delay out";
}

bool read_message(std::string_view line, Message& message) {
    constexpr std::string_view error = "%Error", warning = "%Warning";
    message.error = line.starts_with(error);
    if (!message.error && !line.starts_with(warning))
        return false;
    line.remove_prefix(message.error ? error.size() : warning.size());
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        return false;
    if (colon > 1)
        message.code = line.substr(1, colon - 1);
    line.remove_prefix(colon + 2);
    take_place(line, message);
    message.text = line;
    if (message.code == "STMTDLY")
        refuse_delay(message);
    while (!message.text.empty() && message.text.back() == ' ')
        message.text.pop_back();
    return message.text.find("Exiting due to") != 0;
}

/// Tests whether a line of a file starts like Verilog.
bool is_verilog(std::string_view text) {
    constexpr std::array words{"module",   "package", "interface",   "primitive", "`",
                               "function", "task",    "localparam",  "parameter", "`include",
                               "(*",       "typedef", "macromodule", "import",    "bind",
                               "class",    "program"};
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (std::any_of(words.begin(), words.end(),
                        [&](const char* word) { return line.starts_with(word); }))
            return true;
    }
    return false;
}

/// Tests for a warning about a parameter narrower than 32 bits whose value from the network fits:
/// "Operator VAR 'ON' expects 1 bits on the Initial value, but Initial value's CONST ...".
bool is_fitting_parameter(const Message& message, const VerilogModule& module) {
    constexpr std::string_view begin = "Operator VAR '", middle = "' expects ";
    if (!message.code.starts_with("WIDTH") || !message.text.starts_with(begin) ||
        message.text.find("Initial value's CONST") == std::string::npos)
        return false;
    const std::size_t end = message.text.find(middle);
    const std::string name = message.text.substr(begin.size(), end - begin.size());
    for (const VerilogModule::Parameter& parameter : module.parameters) {
        unsigned width = 0;
        std::int64_t value = 0;
        const char* const text = message.text.data() + end + middle.size();
        const char* const last = parameter.value.data() + parameter.value.size();
        if (parameter.name.text != name ||
            std::from_chars(text, message.text.data() + message.text.size(), width).ec !=
                std::errc{} ||
            std::from_chars(parameter.value.data(), last, value).ptr != last || width > 31)
            continue;
        const std::int64_t limit = std::int64_t{1} << width;
        return value < limit && value >= -limit / 2;
    }
    return false;
}

/// Tests whether the network turns a message off. A rule of an older Verilator includes those that
/// it was later split into.
bool is_off(const Message& message, const VerilogModule& module) {
    if (message.error)
        return false;
    return !module.lint || is_fitting_parameter(message, module) ||
           std::any_of(
               module.rules_off.begin(), module.rules_off.end(), [&](const std::string& rule) {
                   return message.code == rule ||
                          ((rule == "WIDTH" || rule == "UNUSED") && message.code.starts_with(rule));
               });
}

/// Returns the location in the network for a message without a position.
Location about(const VerilogModule& module, const std::string& text) {
    for (const VerilogModule::Parameter& parameter : module.parameters)
        if (text.find(parameter.name.text) != std::string::npos &&
            text.find("arameter") != std::string::npos)
            return parameter.name.where;
    for (const Placed& file : module.files)
        if (text.find(file.text) != std::string::npos)
            return file.where;
    return text.find("top-module") != std::string::npos ? module.top.where : module.where;
}

/// Tests whether the last block that begins in a text is an initial one.
bool is_in_initial(std::string_view text) {
    const std::size_t always = text.rfind("always");
    if (text.find("initial", always == std::string_view::npos ? 0 : always) == std::string::npos)
        return false; // most delays of a large file
    bool result = false;
    const auto is_word = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const std::string_view two = text.substr(at, 2);
        const std::string_view close = two == "//"     ? "\n"
                                       : two == "/*"   ? "*/"
                                       : two[0] == '"' ? "\""
                                                       : "";
        if (!close.empty()) { // a comment or a string
            at = std::min(text.find(close, at + close.size()), text.size()) + close.size();
            continue;
        }
        while (is_word(at))
            ++at;
        const std::string_view word = text.substr(begin, at - begin);
        if (word == "initial" || word.starts_with("always") || word == "task" || word == "function")
            result = word == "initial";
        at += at == begin ? 1 : 0;
    }
    return result;
}

/// Tests whether the delay at `where` makes its assignment wait: "x = #5 y;", in an initial block
/// also "x <= #5 y;". Other assignments take their values at once, as "q <= #1 d;" does.
bool waits(const Location& where) {
    if (!where.source)
        return false;
    const std::string_view before = where.source->text().substr(0, where.begin);
    const std::size_t equals = before.find_last_not_of(" \t\r\n");
    if (equals == std::string_view::npos || before[equals] != '=')
        return false;
    return equals == 0 || before[equals - 1] != '<' || is_in_initial(before);
}

} // namespace

Location VerilogSources::at(const std::string& path, unsigned line, unsigned column) {
    SourceRef& source = sources_[path];
    if (!source) {
        FileText file = read_file(path, max_source_bytes);
        if (file.text && !is_verilog(*file.text)) // do not show lines of other files
            file.text.reset();
        source = std::make_shared<const Source>(path, file.text.value_or(std::string{}));
    }
    if (line == 0 || line > source->line_count())
        return {};
    Location where;
    where.source = source;
    where.begin = source->offset(line, std::max(column, 1U));
    where.end = where.begin + 1;
    return where;
}

void add_messages(const std::string& text, const VerilogModule& module, VerilogSources& sources,
                  Diagnostics& diagnostics) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view{text}.substr(begin, end - begin);
        begin = end + 1;
        Message message;
        if (!read_message(line, message))
            continue;
        Location where = message.file.empty()
                             ? Location{}
                             : sources.at(message.file, message.line, message.column);
        if (message.code == "ASSIGNDLY") {
            if (!waits(where))
                continue;
            refuse_delay(message);
        }
        if (is_off(message, module))
            continue;
        if (!where.known())
            where = about(module, message.text);
        diagnostics.add(message.error ? Code::verilog_error : Code::verilog_warning, where,
                        message.code.empty()
                            ? fmt::format("Verilator: {}", message.text)
                            : fmt::format("Verilator: {} ({})", message.text, message.code));
    }
}

} // namespace sme::verilator
