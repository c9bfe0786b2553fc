// SPDX-License-Identifier: Apache-2.0
#include "cli/command_table.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "sme/threads.hpp"

namespace sme::cli {

namespace po = boost::program_options;

namespace {

constexpr std::array commands{
    CommandInfo{
        "run", "NETWORK", "run a network, check it and write its waveform",
        "Runs the network for as many cycles as --cycles or its run section says, or until "
        "its inputs end or it halts. Prints what became of its checks and recorded outputs.",
        run_command},
    CommandInfo{"check", "NETWORK", "look for errors in a network, without running it",
                "Loads the network and checks its types, its writers and its wires. A component is "
                "checked by itself, with the values that its parameters have or --set gives, and a "
                "library name by name. With --print: "
                "writes it out as one file, to stand in the working folder, that loads to the same "
                "network: imports inside, each component with the numbers it is given.",
                check_command},
    CommandInfo{
        "graph", "NETWORK", "draw a network, as DOT or SVG",
        "Processes are boxes, buses are arrows; families are drawn once. Graphviz makes the "
        "SVG.",
        graph_command},
    CommandInfo{"predict", "NETWORK", "tell how fast a network would run on more threads",
                "Measures what its processes cost on one thread and computes what a cycle takes "
                "with others, for each way to deal processes; where there are CPUs enough, also "
                "measures it.",
                predict_command},
    CommandInfo{"cosim", "NETWORK", "run second implementations in lockstep with the first ones",
                "Every process that has 'against' runs beside its second implementation: both read "
                "the same inputs, and what they write is compared in every cycle. The first "
                "difference ends the run.",
                cosim_command},
    CommandInfo{"diff", "FILE.vcd FILE.vcd", "show where two waveforms differ first",
                "Two VCD files, of any simulators: signals of one name are compared whenever one "
                "of them changes, by the last value of each time. Neither file is kept in memory; "
                "pipes will do, as in sme diff a.vcd <(fst2vcd b.fst). Ends with 0 when all values "
                "are the same and with 1 when some are not.",
                diff_command},
    CommandInfo{"explain", "[CODE]", "tell what a diagnostic means, with examples",
                "A diagnostic ends with its code in brackets. Without a code: lists all of them.",
                explain_command},
    CommandInfo{"schema", "", "print the JSON Schema of network files, for editors",
                "An editor's YAML support completes keys with it, shows what they mean and marks "
                "what does not belong.",
                schema_command},
    CommandInfo{"completion", "bash|zsh|fish", "print the completion of this command for a shell",
                "For bash: source <(sme completion bash). For zsh: the same, after compinit. For "
                "fish: sme completion fish | source.",
                completion_command},
    CommandInfo{"man", "", "print this manual page", "To read it: sme man | man -l -", man_command},
    CommandInfo{
        "view", "NETWORK|TRACE.vcd", "look at the waveform of a network, or at a trace, in GTKWave",
        "Runs a network with a trace, or takes a trace that is there; writes a save file for "
        "GTKWave beside it, with a group for each part of the hierarchy, and opens both. A save "
        "file that "
        "somebody changed is kept.",
        view_command},
    CommandInfo{"validate", "NETWORK", "run a network under a judge, and in many orders",
                "First every invariant of the model is checked in every cycle: each process runs "
                "once, what is read is what was written or follows the rule for unwritten, delays "
                "and wires are as they are declared. Then the network runs in many random orders "
                "on one to three threads, if there are as many CPUs, and every bus is compared in "
                "every cycle: processes that "
                "share something behind the network's back show there.",
                validate_command},
    CommandInfo{
        "verilog", "NETWORK", "write a network as Verilog, with a test bench",
        "Writes a module for each kind of process and component, one for the whole network, "
        "and a test bench that replays a run of the network and compares every bus in "
        "every cycle.",
        verilog_command},
};

po::typed_value<std::string>* text(const std::string& name) {
    return po::value<std::string>()->value_name(name);
}

/// One of the words of a list.
template <class Words> po::typed_value<std::string>* one_of(const Words& words) {
    return text(fmt::format("{}", fmt::join(words, "|")));
}

/// An option that may be repeated.
po::typed_value<std::vector<std::string>>* several(const char* name) {
    return po::value<std::vector<std::string>>()->composing()->value_name(name);
}

/// An option that takes exactly two words.
class TwoWords final : public po::typed_value<std::vector<std::string>> {
public:
    explicit TwoWords(const std::string& name) : typed_value{nullptr} { value_name(name); }
    unsigned min_tokens() const override { return 2; }
    unsigned max_tokens() const override { return 2; }
};

/// Of the commands that run a network as it stands.
void add_run_options(po::options_description_easy_init& add) {
    add("cycles", text("N"), "run N cycles (1 to 2^62)");
    add("trace", text("FILE.vcd"), "write the waveform");
    add("trace-select", text("GLOB"),
        "trace the buses whose names match (several: between commas)");
    add("trace-state", "trace the states of processes, too");
    add("seed", text("N"), "seed of what is random (0)");
    add("threads", text("auto|N"), "how many threads; auto: as many as are fastest");
    add("queue", one_of(queue_names),
        "who hands work to threads: a list each, a list for all, lists to steal from");
    add("orchestration", one_of(policy_names),
        "how processes are dealt to threads: by measured costs, in blocks, in turns, at random "
        "with the best kept");
    add("adaptive", "deal processes again when threads are out of balance");
    add("wait", one_of(wait_names), "what threads do that wait for others");
    add("grain", text("N"), "processes that a thread takes at a time from the list for all");
    add("schedule", text("FILE.json"),
        "repeat what another run decided about threads; without that file: write what this one "
        "does");
    add("engine", text("auto|interpreted|native"),
        "how YAML processes run: at once and, in a long run, as native code as soon as the C "
        "compiler ($CC, or cc) has made it (auto); never so; or so from the first cycle on");
    add("emit-c", text("FOLDER"), "write the C that is compiled, readable");
    add("profile", text("FILE.json"), "write which thread ran what when, for Perfetto");
    add("stats", "print what the run cost to standard error");
}

/// Of the command that runs a network and tells what became of it.
void add_report_options(po::options_description_easy_init& add) {
    add("keep-last", text("N"),
        "keep the last N cycles of the trace in memory; write them only when a check fails, a "
        "process faults or the run is interrupted");
    add("coverage",
        po::value<std::vector<std::string>>()->composing()->value_name("FILE.info|FILE.json"),
        "write which lines and branches of processes ran, for lcov (.info), or with toggled "
        "bits and states as JSON (may be repeated)");
    add("checkpoint-every", new TwoWords{"N FILE"},
        "save all of the run into FILE every N cycles, and when it is interrupted");
    add("resume", text("FILE"),
        "go on where a run was saved, with the same values; other threads will do");
    add("results", text("FILE.json"), "write what became of checks and outputs as JSON");
    add("junit", text("FILE.xml"),
        "write what became of checks and outputs as JUnit XML, for continuous integration");
}

/// Of the command that compares waveforms.
void add_diff_options(po::options_description_easy_init& add) {
    add("most", text("N"), "show the first N differences (10)");
    add("map", several("FROM=TO"),
        "names of the second file that are FROM, or begin with it, begin with TO; * is any "
        "text, the same in both; the first that fits (may be repeated)");
    add("select", several("GLOB"),
        "compare only signals whose names, as in the first file, match, or that lie below what "
        "matches (may be repeated)");
    add("ignore", several("GLOB"), "do not compare these (may be repeated)");
    add("shift", text("TIME"), "what happens in the second file is so much later: 5ns, -2.5us");
    add("any-x", text("first|second|both"),
        "an x in that file agrees with every value in the other");
    add("tolerance", text("R"),
        "reals are the same when they differ by no more than R times the larger (0)");
    add("strict", "signals in one file only, other widths and ends are differences, too");
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
    if (command.argument.starts_with("NETWORK")) {
        add("set", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE"),
            "give a parameter another value");
        add("strict", "treat warnings as errors");
        add("no-compile", "start neither Verilator nor a compiler for a network with Verilog; what "
                          "is built already is used");
        add("force", "write over existing files, whatever they are, but not over what is read");
        add("allow", several("PATH"),
            "let the network write this file, or below this folder; without it, below its own "
            "folder and the working folder (may be repeated)");
        add("safe", "for a network of a stranger: it reads only where it may write, starts no "
                    "compiler and runs no Verilog");
    }
    if (command.name == "predict")
        add("compile", "build and run the Verilog of the network");
    if (command.name == "check")
        add("print", "print the whole network as one file of its own, when it has no errors");
    if (command.name == "run")
        add("validate", "check every invariant of the model in every cycle");
    if (command.name == "validate") {
        add("orders", text("N"), "run it in N other orders (20)");
        add("threads", text("N"), "on up to N threads (3, but no more than there are CPUs)");
        add("cycles", text("N"), "run N cycles (1 to 2^62)");
        add("seed", text("N"), "seed of what is random (0)");
    }
    if (command.name == "cosim")
        add("self", "the whole network against its own Verilog, as 'sme verilog' writes it");
    if (command.name == "cosim")
        add("random", text("N"),
            "for N cycles, random values instead of the network's: each pair "
            "is run alone; --seed decides");
    if (command.name == "run" || command.name == "view" || command.name == "cosim")
        add_run_options(add);
    if (command.name == "diff")
        add_diff_options(add);
    if (command.name == "run")
        add_report_options(add);
    if (command.name == "predict") {
        add("threads", text("N,N,..."), "for so many threads (1,2,4,8,16,32,64,128)");
        add("wait", one_of(wait_names), "what threads do that wait for others");
        add("seed", text("N"), "seed of what is random (0)");
    }
    if (command.name == "view") {
        add("output,o", text("FILE.gtkw"), "the save file to write (beside the trace)");
        add("no-open", "write the files and do not open GTKWave");
        add("overwrite", "write the save file anew although somebody changed it");
    }
    if (command.name == "verilog") {
        add("output,o", text("FOLDER"), "write into this folder");
        add("cycles", text("N"), "replay N cycles (those of the run section)");
        add("report", "synthesise it with Yosys for iCE40 and ECP5, and print what it costs");
    }
    if (command.name == "graph")
        add("output,o", text("FILE"),
            "write to FILE.dot, or to FILE.svg with the help of Graphviz; DOT on standard output "
            "without it");
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
    if (value.find('|') == std::string_view::npos || value.starts_with("NETWORK"))
        return words;
    while (!value.empty()) {
        const std::size_t end = std::min(value.find('|'), value.size());
        words.emplace_back(value.substr(0, end));
        value.remove_prefix(std::min(end + 1, value.size()));
    }
    return words;
}

std::string overview() {
    std::string made = "usage: sme COMMAND ARGUMENT [options]\n\ncommands:\n";
    for (const CommandInfo& command : commands)
        made += fmt::format("  {:<30} {}\n", fmt::format("{} {}", command.name, command.argument),
                            command.summary);
    return made + "\n'sme COMMAND --help' lists the options of a command.\n";
}

} // namespace sme::cli
