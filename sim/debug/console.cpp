// SPDX-License-Identifier: Apache-2.0
#include "debug/console.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <regex>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::debug {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == text.npos ? std::string{}
                              : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Parses a whole number; `nullopt` if invalid.
std::optional<std::uint64_t> number_in(const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && last == end && number <= std::uint64_t{1} << 62
               ? std::optional{number}
               : std::nullopt;
}

} // namespace

const std::vector<Console::Command>& Console::commands() {
    static const std::vector<Command> all{
        {"step", "[N]", "run a cycle, or N cycles", &Console::step, true},
        {"continue", "", "run to a breakpoint, a failed check, a fault or the end", &Console::go_on,
         true},
        {"until", "EXPRESSION", "run until this holds", &Console::until, true},
        {"to", "CYCLE", "show this cycle: forward without breakpoints, or back", &Console::to,
         false},
        {"back", "[N]", "show the cycle before, or N cycles before", &Console::back, true},
        {"break", "EXPRESSION [of PROCESS] | [FILE]:LINE [if EXPRESSION]",
         "stop in cycles in which this holds, or a line of a step or let runs", &Console::add_break,
         false},
        {"watch", "NAME", "stop when a bus, a state or a part of one changes", &Console::watch,
         false},
        {"delete", "[N]", "delete a breakpoint, or all", &Console::remove, false},
        {"show", "[GLOB] [hex|bin]", "list buses: name, type, value; the next value, if it differs",
         &Console::show, false},
        {"states", "[GLOB] [hex|bin]", "the same of the states of processes", &Console::states,
         false},
        {"memories", "[NAME] [hex|bin]", "list memories, or the words of one after this cycle",
         &Console::memories, false},
        {"print", "EXPRESSION [of PROCESS] [hex|bin]", "the value of an expression in this cycle",
         &Console::print, false},
        {"process", "NAME [hex|bin]", "what a process reads and writes in this cycle",
         &Console::process, false},
        {"who", "NAME", "the processes that write and read a bus", &Console::who, false},
        {"set", "NAME = EXPRESSION",
         "give a bus, a state or a word of a memory another value in this cycle, which is repeated",
         &Console::set, false},
        {"info", "", "where the run is, its breakpoints and changes", &Console::info, false},
        {"help", "", "this list; each command may be shortened", &Console::help, false},
        {"quit", "", "end", &Console::quit, false},
    };
    return all;
}

/// Returns the first command in the list with this prefix.
const Console::Command* Console::find(const std::string& name) {
    const auto found =
        std::find_if(commands().begin(), commands().end(), [&](const Command& command) {
            return std::string_view{command.name}.starts_with(name);
        });
    return name.empty() || found == commands().end() ? nullptr : &*found;
}

std::string Console::fail(const std::string& text) {
    failed_ = true;
    return "error: " + text + "\n";
}

std::string Console::fail(const Diagnostics& diagnostics) {
    failed_ = true;
    std::string text;
    for (const Diagnostic& found : diagnostics.all())
        if (found.severity != Severity::warning)
            text += render(found) + hint_of_local(found);
    return text;
}

/// Suggests the process for a name that exists only in a process: for "parser.complete == 1",
/// "complete == 1 of parser". Empty if that is not the error.
std::string Console::hint_of_local(const Diagnostic& found) const {
    if (found.code != Code::unknown_name || !found.where.source)
        return {};
    const std::string text{found.where.source->text()};
    for (std::size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1)) {
        std::size_t begin = dot;
        while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                             std::string_view{"_.[]"}.find(text[begin - 1]) != text.npos))
            --begin;
        const std::string process = text.substr(begin, dot - begin);
        if (find_process(session_.graph(), process))
            return fmt::format("what only '{0}' sees is written '{1} of {0}'\n", process,
                               text.substr(0, begin) + text.substr(dot + 1));
    }
    return {};
}

std::string Console::greeting() const {
    return fmt::format("{}: before the first cycle; 'help' lists the commands\n",
                       session_.graph().name);
}

std::string Console::execute(const std::string& line) {
    std::string text = trimmed(line);
    if (text.starts_with('#'))
        return {};
    if (text.empty()) {
        if (last_.empty())
            return {};
        text = last_;
    }
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string name = text.substr(0, end);
    const Command* const command = find(name);
    last_ = command && command->repeats ? text : std::string{};
    if (!command)
        return fail(fmt::format("there is no command '{}'; 'help' lists all", name));
    return (this->*command->carry_out)(take_radix(trimmed(text.substr(end))));
}

/// Removes a final "hex" or "bin".
std::string Console::take_radix(const std::string& rest) {
    radix_ = Radix::decimal;
    for (const auto& [word, radix] :
         {std::pair{"hex", Radix::hexadecimal}, std::pair{"bin", Radix::binary}}) {
        if (rest == word || rest.ends_with(fmt::format(" {}", word))) {
            radix_ = radix;
            return trimmed(rest.substr(0, rest.size() - 3));
        }
    }
    return rest;
}

std::string Console::place() const {
    const auto cycle = session_.cycle();
    return cycle ? fmt::format("cycle {}", *cycle) : std::string{"before the first cycle"};
}

std::string Console::after(const Stop& stop) {
    std::string text;
    for (const std::string& line : session_.machine().take_prints())
        text += "| " + line + "\n";
    text += place();
    if (!stop.text.empty())
        text += ": " + stop.text;
    return text + "\n";
}

std::string Console::step(const std::string& rest) {
    const auto count = rest.empty() ? 1 : number_in(rest);
    if (!count || *count == 0)
        return fail(fmt::format("'{}' is no number of cycles", rest));
    return after(session_.run(*count, interrupt_));
}

std::string Console::go_on(const std::string& rest) {
    return rest.empty() ? after(session_.run(std::nullopt, interrupt_))
                        : fail("'continue' takes nothing; 'step N' and 'to CYCLE' do");
}

std::string Console::until(const std::string& rest) {
    Diagnostics diagnostics;
    const auto stop = session_.run_until({rest}, interrupt_, diagnostics);
    return stop ? after(*stop) : fail(diagnostics);
}

std::string Console::to(const std::string& rest) {
    const auto cycle = number_in(rest);
    if (!cycle)
        return fail(fmt::format("'{}' is no cycle", rest));
    return after(session_.go_to(cycle, interrupt_));
}

std::string Console::back(const std::string& rest) {
    const auto count = rest.empty() ? 1 : number_in(rest);
    const std::uint64_t ran = session_.machine().ran();
    if (!count || *count == 0)
        return fail(fmt::format("'{}' is no number of cycles", rest));
    if (ran == 0)
        return fail("this is before the first cycle");
    return after(
        session_.go_to(*count >= ran ? std::nullopt : std::optional{ran - 1 - *count}, interrupt_));
}

namespace {

/// Splits "EXPRESSION of PROCESS".
std::pair<std::string, std::string> parted(const std::string& text) {
    const std::size_t of = text.rfind(" of ");
    if (of == text.npos)
        return {text, {}};
    return {trimmed(text.substr(0, of)), trimmed(text.substr(of + 4))};
}

/// Converts the user's text to a probe, or reports an unknown process.
std::optional<yaml::ProbeText> probe_of(const Graph& graph, const std::string& text,
                                        std::string& problem) {
    const auto [expression, process] = parted(text);
    if (process.empty())
        return yaml::ProbeText{text};
    const auto place = find_process(graph, process);
    if (!place) {
        problem = fmt::format("there is no process '{}'", process);
        return std::nullopt;
    }
    return yaml::ProbeText{expression, place->family, place->instance};
}

} // namespace

std::string Console::add_break(const std::string& rest) {
    static const std::regex line_form{R"(^(\S*):(\d{1,8})(?:\s+if\s+(.+))?$)"};
    if (rest.empty())
        return fail("'break' takes an expression, or FILE:LINE");
    Diagnostics diagnostics;
    std::string problem;
    std::smatch found;
    unsigned number = 0;
    if (std::regex_match(rest, found, line_form)) {
        const std::string file = found[1];
        const auto line = static_cast<std::uint32_t>(std::stoul(found[2]));
        number = session_.add_line(file, line, found[3], diagnostics, problem);
    } else if (const auto text = probe_of(session_.graph(), rest, problem))
        number = session_.add_condition(*text, diagnostics);
    if (number == 0)
        return diagnostics.has_errors() ? fail(diagnostics) : fail(problem);
    return fmt::format("breakpoint {}: {}\n", number, session_.breakpoints().back().text);
}

std::string Console::watch(const std::string& rest) {
    std::string problem;
    const unsigned number = session_.add_change(rest, problem);
    return number == 0 ? fail(problem) : fmt::format("breakpoint {}: change of {}\n", number, rest);
}

std::string Console::remove(const std::string& rest) {
    if (rest.empty()) {
        while (!session_.breakpoints().empty())
            session_.remove(session_.breakpoints().back().number);
        return "no breakpoints\n";
    }
    const auto number = number_in(rest);
    if (!number || *number > ~0U || !session_.remove(static_cast<unsigned>(*number)))
        return fail(fmt::format("there is no breakpoint '{}'", rest));
    return fmt::format("breakpoint {} is deleted\n", *number);
}

std::string Console::set(const std::string& rest) {
    const std::size_t equals = rest.find('=');
    if (equals == rest.npos)
        return fail("write 'set NAME = EXPRESSION'");
    Diagnostics diagnostics;
    const std::string name = trimmed(rest.substr(0, equals));
    const std::string problem = session_.set(name, trimmed(rest.substr(equals + 1)), diagnostics);
    if (diagnostics.has_errors())
        return fail(diagnostics);
    if (!problem.empty())
        return fail(problem);
    session_.machine().take_prints();
    return fmt::format("{}: '{}' is changed; from here on this is not the network's own run\n",
                       place(), name);
}

std::string Console::info(const std::string&) {
    Machine& machine = session_.machine();
    std::string text = fmt::format("{}, {}\n", session_.graph().name, place());
    if (machine.ending() != RunEnd::completed)
        text += "the run is over; 'back' and 'to' show what came before\n";
    for (const Breakpoint& each : session_.breakpoints())
        text += fmt::format("breakpoint {}: {}, stopped {} time{}\n", each.number, each.text,
                            each.stops, each.stops == 1 ? "" : "s");
    if (!machine.changes().empty())
        text +=
            fmt::format("not the network's own run: {} change{} by hand, the first in cycle {}\n",
                        machine.changes().size(), machine.changes().size() == 1 ? "" : "s",
                        machine.changes().front().cycle);
    return text;
}

std::string Console::help(const std::string&) {
    std::string text;
    for (const Command& command : commands())
        text += fmt::format("{} {}\n    {}\n", command.name, command.arguments, command.help);
    return text + "An empty line repeats 'step', 'continue', 'until' and 'back'.\n";
}

std::string Console::quit(const std::string&) {
    quit_ = true;
    return {};
}

std::vector<std::string> Console::completions(const std::string& line) const {
    constexpr std::size_t most = 200;
    const std::size_t begin = line.find_last_of(" \t(=") + 1;
    const std::string word = line.substr(begin);
    if (begin > 0)
        return names_beginning(session_.graph(), word, most);
    std::vector<std::string> found;
    for (const Command& command : commands())
        if (std::string_view{command.name}.starts_with(word))
            found.emplace_back(command.name);
    return found;
}

} // namespace sme::debug
