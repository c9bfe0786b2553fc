// SPDX-License-Identifier: Apache-2.0
#include "cli/command_table.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "sme/threads.hpp"
#include "trace/format.hpp"

namespace sme::cli {

namespace po = boost::program_options;

namespace {

constexpr std::array commands{
    CommandInfo{
        "new", "NAME", "make a small project in a new folder, to begin with",
        "Writes a network with checks, a Verilog module that it uses, and a README that says "
        "what to run, into the folder NAME, which is new or empty. NAME is the name of the "
        "network, or a path that ends with it.",
        "sme"},
    CommandInfo{
        "run", "NETWORK", "run a network, check it and write its waveform",
        "Runs the network for as many cycles as --cycles or its run section says, or until "
        "its inputs end or it halts. Prints the outcome of its checks and recorded outputs.",
        "sme"},
    CommandInfo{
        "test", "[NETWORK...]", "run the tests of networks, several at once",
        "Runs every test of these networks, and of those in these folders and below them; without "
        "an argument, of the working folder. A network without tests is one test: it runs as "
        "'sme run' runs it. Outputs and traces of the tests are not kept. Ends with 0 when all "
        "checks of all tests were reached and hold.",
        "sme"},
    CommandInfo{"check", "NETWORK", "look for errors in a network, without running it",
                "Loads the network and checks its types, its writers and its wires. A component is "
                "checked by itself, with the values that its parameters have or --set gives, and a "
                "library name by name. With --print: "
                "writes it out as one file, for the working folder, that loads to the same "
                "network: imports inside, each component with the numbers it is given.",
                "sme"},
    CommandInfo{
        "graph", "NETWORK", "draw a network, as DOT or SVG",
        "Processes are boxes, buses are arrows; families are drawn once. Graphviz makes the "
        "SVG.",
        "sme"},
    CommandInfo{"fifos", "NETWORK", "find how deep the channels of a network have to be",
                "Runs the network with its input and finds the smallest depths with which it takes "
                "no more cycles than with endless ones: one place less anywhere, and it is slower "
                "or deadlocks. Says what keeps it from being faster. Of actors alone, the run is "
                "recorded once and other depths are computed; other networks are run with each.",
                "sme-analysis"},
    CommandInfo{"predict", "NETWORK", "tell how fast a network would run on more threads",
                "Measures what its processes cost on one thread and computes what a cycle takes "
                "with others, for each way to deal processes; where there are CPUs enough, also "
                "measures it.",
                "sme-analysis"},
    CommandInfo{"cosim", "NETWORK", "run second implementations in lockstep with the first ones",
                "Every process that has 'against' runs beside its second implementation: both read "
                "the same inputs, and what they write is compared in every cycle. The first "
                "difference ends the run. --reference compares one process with a recorded "
                "waveform instead.",
                "sme-hardware"},
    CommandInfo{"debug", "NETWORK", "step through a run, forward and back",
                "Runs the network cycle by cycle, to a condition, a line of a process, a change, a "
                "failed check or a fault; shows and changes values; goes back. 'help' lists the "
                "commands. What processes print is marked with '|'; no file is written. Ctrl-C "
                "ends what runs.",
                "sme-analysis"},
    CommandInfo{"diff", "FILE.vcd|FILE.fst FILE.vcd|FILE.fst",
                "show where two waveforms differ first",
                "Two VCD or FST files, of any simulators: signals of one name are compared "
                "whenever one of them changes, by the last value of each time. Neither file is "
                "kept in memory; of VCD, pipes will do, as in sme diff a.vcd <(xz -dc b.vcd.xz). "
                "Ends with 0 when all values are the same and with 1 when some are not.",
                "sme-analysis"},
    CommandInfo{"explain", "[CODE]", "tell what a diagnostic means, with examples",
                "A diagnostic ends with its code in brackets. Without a code: lists all of them.",
                "sme"},
    CommandInfo{"schema", "", "print the JSON Schema of network files, for editors",
                "An editor's YAML support completes keys with it, shows what they mean and marks "
                "what does not belong.",
                "sme"},
    CommandInfo{"completion", "bash|zsh|fish", "print the completion of this command for a shell",
                "For bash: source <(sme completion bash). For zsh: the same, after compinit. For "
                "fish: sme completion fish | source.",
                "sme"},
    CommandInfo{"man", "", "print this manual page", "To read it: sme man | man -l -", "sme"},
    CommandInfo{
        "view", "NETWORK|TRACE.vcd|TRACE.fst",
        "look at the waveform of a network, or at a trace, in GTKWave",
        "Runs a network with a trace, or takes a trace that is there; writes a save file for "
        "GTKWave beside it, with a group for each part of the hierarchy, and opens both. A save "
        "file that you changed is kept.",
        "sme"},
    CommandInfo{
        "validate", "NETWORK", "run a network under a judge, and in many orders",
        "First a judge checks every cycle: each process runs once and reads the values that "
        "it must, delays and wires are as they are declared. Then the network runs in many "
        "random orders on one to three threads, if there are as many CPUs, and every bus "
        "is compared in every cycle: that finds processes that share something outside "
        "the network.",
        "sme-analysis"},
    CommandInfo{
        "verilog", "NETWORK", "write a network as Verilog, with a test bench",
        "Writes a module for each kind of process and component, one for the whole network, "
        "and a test bench that replays a run of the network and compares every bus in "
        "every cycle.",
        "sme-hardware"},
    CommandInfo{"vhdl", "NETWORK", "write a network as VHDL, with a test bench",
                "Writes an entity for each kind of process and component, one for the whole "
                "network, and a test bench that replays a run of the network and compares every "
                "bus in every cycle. All of it is VHDL-2008.",
                "sme-hardware"},
#ifdef SME_HAVE_VPI
    CommandInfo{"vpi", "NETWORK", "run a network for a library that uses VPI, such as cocotb",
                "The library drives the clock, the reset and the inputs of the network, and sees "
                "the signals of its Verilog, as 'sme verilog' would write it. A rising edge of the "
                "clock is a cycle. The inputs, the checks and the length of the network's run do "
                "not count.",
                "sme-hardware"},
#endif
};

/// The words of a list, as "a|b|c".
template <class Words> std::string one_of(const Words& words) {
    return fmt::format("{}", fmt::join(words, "|"));
}

/// "static: a list for each thread; atomic: ..."
template <std::size_t count>
std::string meanings(const std::array<std::string_view, count>& words,
                     const std::array<std::string_view, count>& texts) {
    std::string result;
    for (std::size_t k = 0; k < count; ++k)
        result += fmt::format("{}{}: {}", k > 0 ? "; " : "", words[k], texts[k]);
    return result;
}

/// An option that takes exactly two words.
class TwoWordsValue final : public po::typed_value<std::vector<std::string>> {
public:
    explicit TwoWordsValue(const std::string& name) : typed_value{nullptr} { value_name(name); }
    unsigned min_tokens() const override { return 2; }
    unsigned max_tokens() const override { return 2; }
};

/// How boost reads an option of this type.
template <class Type> po::value_semantic* semantic_of(const std::string& value) {
    if constexpr (std::is_same_v<Type, Flag> || std::is_same_v<Type, Unless>)
        return new po::untyped_value{true};
    else if constexpr (std::is_same_v<Type, TwoWords>)
        return new TwoWordsValue{value};
    else if constexpr (std::is_same_v<Type, Texts>)
        return po::value<std::vector<std::string>>()->composing()->value_name(value);
    else
        return po::value<std::string>()->value_name(value);
}

/// A row of options.def.
struct OptionRow {
    std::string_view name;
    std::string value;
    std::string_view commands;
    std::string text;
    po::value_semantic* (*semantic)(const std::string& value);
};

std::vector<OptionRow> option_rows() {
    return {
#define SME_ALSO(field, name, value, commands, text)                                               \
    {name, value, commands, text, semantic_of<decltype(Options::field)>},
#define SME_OPTION(field, name, value, commands, text, ...)                                        \
    SME_ALSO(field, name, value, commands, text)
#include "cli/options.def"
    };
}

/// True if the list of commands in a row contains this command.
bool has_option(const CommandInfo& command, std::string_view commands) {
    const std::string list = fmt::format(" {} ", commands);
    return list.find(fmt::format(" {} ", command.name)) != std::string::npos ||
           (commands == "NETWORK" && takes_network(command.argument));
}

} // namespace

std::span<const CommandInfo> all_commands() {
    return commands;
}

const CommandInfo* find_command(std::string_view name) {
    const auto found =
        std::find_if(commands.begin(), commands.end(),
                     [&](const CommandInfo& command) { return command.name == name; });
    return found == commands.end() ? nullptr : &*found;
}

po::options_description options_of(const CommandInfo& command) {
    po::options_description options{fmt::format("options of 'sme {}'", command.name)};
    auto add = options.add_options();
    add("help", "print this and end");
    for (const OptionRow& row : option_rows())
        if (has_option(command, row.commands))
            add(std::string{row.name}.c_str(), row.semantic(row.value), row.text.c_str());
    return options;
}

std::vector<OptionInfo> listed_options(const CommandInfo& command) {
    std::vector<OptionInfo> listed;
    const po::options_description all = options_of(command);
    for (const auto& option : all.options()) {
        const std::string shown =
            option->canonical_display_name(po::command_line_style::allow_dash_for_short);
        const bool takes_value = option->semantic()->max_tokens() > 0;
        listed.push_back({"--" + option->long_name(),
                          shown.starts_with("-") && !shown.starts_with("--") ? shown : "",
                          takes_value ? option->semantic()->name() : "", option->description()});
    }
    return listed;
}

std::vector<std::string> words_of(std::string_view value) {
    std::vector<std::string> words;
    if (value.find('|') == std::string_view::npos || value.starts_with("NETWORK") ||
        value.starts_with("FILE"))
        return words;
    while (!value.empty()) {
        const std::size_t end = std::min(value.find('|'), value.size());
        if (const std::string_view word = value.substr(0, end); word != "N")
            words.emplace_back(word);
        value.remove_prefix(std::min(end + 1, value.size()));
    }
    return words;
}

std::string overview() {
    std::string result = "usage: sme COMMAND ARGUMENT [options]\n\ncommands:\n";
    for (const CommandInfo& command : commands)
        result += fmt::format("  {:<30} {}\n", fmt::format("{} {}", command.name, command.argument),
                              command.summary);
    return result + "\n'sme COMMAND --help' lists the options of a command.\n";
}

std::string first_steps() {
    return "to begin:                  sme new my_project\n"
           "                           cd my_project && sme run network.yaml\n"
           "to see what buses do:      sme run network.yaml --show '*'\n"
           "to look at a waveform:     sme view network.yaml\n"
           "to understand a message:   sme explain CODE, the word in brackets at its end\n"
           "for all commands:          sme --help\n";
}

std::vector<std::string> with_new_names(const std::string& command,
                                        std::vector<std::string> arguments) {
    struct Renamed {
        std::string_view command, before, now;
    };
    constexpr std::array renamed{
        Renamed{"cosim", "--with", "--reference"}, Renamed{"cosim", "--of", "--instance"},
        Renamed{"fifos", "--least", "--minimize"}, Renamed{"fifos", "--front", "--pareto"},
        Renamed{"diff", "--most", "--max-differences"}};
    for (std::string& argument : arguments) {
        const std::size_t end = std::min(argument.find('='), argument.size());
        for (const Renamed& each : renamed)
            if (each.command == command && argument.compare(0, end, each.before) == 0) {
                argument.replace(0, end, each.now);
                break;
            }
    }
    return arguments;
}

} // namespace sme::cli
