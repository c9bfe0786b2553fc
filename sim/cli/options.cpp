// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "verilator/build/installation.hpp"
#include "yaml/read/tree.hpp"

namespace sme::cli {

namespace po = boost::program_options;

namespace {

/// An ending with an error that has no location.
Ending ending_with(Code code, std::string message) {
    return {exit_code::usage, complaint(code, std::move(message))};
}

/// Parses a whole number in a range; returns an ending if it is invalid.
std::variant<std::uint64_t, Ending> number(Code code, const std::string& option,
                                           const std::string& text, Integer low, Integer high) {
    const std::optional<Integer> value = parse_integer(text);
    if (value && *value >= low && *value <= high)
        return static_cast<std::uint64_t>(*value);
    return ending_with(code, fmt::format("--{} is a whole number from {} to {}, but this is '{}'",
                                         option, to_string(low), to_string(high), text));
}

std::string text_of(const po::variables_map& given, const std::string& name) {
    return given.count(name) ? given[name].as<std::string>() : std::string{};
}

std::vector<std::string> texts_of(const po::variables_map& given, const std::string& name) {
    return given.count(name) ? given[name].as<std::vector<std::string>>()
                             : std::vector<std::string>{};
}

/// Reads the options of the table; yields an ending for the first invalid value.
class OptionReader {
public:
    OptionReader(const CommandInfo& command, const po::variables_map& given)
        : listed_{listed_options(command)}, given_{given} {}

    bool take(const std::string& name, Flag& field) {
        field = given_.count(name) > 0;
        return true;
    }
    bool take(const std::string& name, Unless& field) {
        field.value = given_.count(name) == 0;
        return true;
    }
    bool take(const std::string& name, Texts& field) {
        field = texts_of(given_, name);
        return true;
    }
    bool take(const std::string& name, TwoWords& field) { return take(name, field.words); }
    bool take(const std::string& name, Text& field) {
        field = text_of(given_, name);
        const std::vector<std::string> words = words_for(name);
        if (given_.count(name) == 0 || words.empty() ||
            std::find(words.begin(), words.end(), field) != words.end())
            return true;
        ending_ = ending_with(Code::bad_option, fmt::format("--{} is one of {}, but this is '{}'{}",
                                                            name, fmt::join(words, ", "), field,
                                                            did_you_mean(field, words)));
        return false;
    }
    template <std::uint64_t low, std::uint64_t high, std::uint64_t initial>
    bool take(const std::string& name, Number<low, high, initial>& field) {
        return given_.count(name) == 0 ||
               take_number(Code::bad_option, name, low, high, field.value);
    }
    bool take(const std::string& name, CycleCount& field) {
        return given_.count(name) == 0 ||
               take_number(Code::bad_cycles, name, 1, max_cycles, field.emplace());
    }
    bool take(const std::string& name, CycleNumber& field) {
        return given_.count(name) == 0 ||
               take_number(Code::bad_cycles, name, 0, max_cycles, field.emplace());
    }
    bool take(const std::string& name, Seed& field) {
        return given_.count(name) == 0 ||
               take_number(Code::bad_option, name, 0, ~std::uint64_t{0}, field.emplace());
    }

    std::optional<Ending> ending() const { return ending_; }

private:
    bool take_number(Code code, const std::string& name, Integer low, Integer high,
                     std::uint64_t& value) {
        auto read = number(code, name, text_of(given_, name), low, high);
        if (const auto* ending = std::get_if<Ending>(&read)) {
            ending_ = *ending;
            return false;
        }
        value = std::get<std::uint64_t>(read);
        return true;
    }

    /// The words that an option accepts; empty if it accepts other values, too.
    std::vector<std::string> words_for(const std::string& name) const {
        for (const OptionInfo& option : listed_)
            if (option.name == "--" + name && option.value.find('N') == std::string::npos)
                return words_of(option.value);
        return {};
    }

    std::vector<OptionInfo> listed_;
    const po::variables_map& given_;
    std::optional<Ending> ending_;
};

/// The long name of a row: "output" of "output,o".
constexpr std::string_view long_name(std::string_view name) {
    return name.substr(0, name.find(','));
}

std::optional<Ending> read_table(const CommandInfo& command, const po::variables_map& given,
                                 Options& options) {
    OptionReader reader{command, given};
#define SME_OPTION(field, name, value, commands, text, ...)                                        \
    if (!reader.take(std::string{long_name(name)}, options.field))                                 \
        return reader.ending();
#include "cli/options.def"
    return std::nullopt;
}

/// "--checkpoint-every N FILE"
std::optional<Ending> fill_checkpoint(Options& options) {
    const std::vector<std::string>& words = options.checkpoint_words.words;
    if (words.empty())
        return std::nullopt;
    if (words.size() != 2 || words[1].empty())
        return ending_with(Code::bad_option,
                           "--checkpoint-every is written --checkpoint-every N FILE");
    auto cycles = number(Code::bad_cycles, "checkpoint-every", words[0], 1, max_cycles);
    if (const auto* ending = std::get_if<Ending>(&cycles))
        return *ending;
    options.checkpoint_every = std::get<std::uint64_t>(cycles);
    options.checkpoint = words[1];
    return std::nullopt;
}

/// True if options of 'sme run' are given, except the file limits that every command has.
bool has_network_options(const po::variables_map& given) {
    const std::vector<OptionInfo> options = listed_options(*find_command("run"));
    return std::any_of(options.begin(), options.end(), [&](const OptionInfo& option) {
        const std::string name = option.name.substr(2);
        return given.count(name) > 0 && name != "force" && name != "allow" && name != "safe";
    });
}

/// Returns the option or file that asks for a compiler or another program, or an empty text.
std::string asks_for_program(const Options& options) {
    const auto svg = [](const std::string& path) { return path.ends_with(".svg"); };
    const bool view = options.command == "view";
    for (const auto& [asks, option] : std::initializer_list<std::pair<bool, const char*>>{
             {options.compile_asked, "--compile"},
             {options.execution == Execution::native, "--engine native"},
             {std::ranges::any_of(options.wavedrom, svg), "--wavedrom FILE.svg"},
             {svg(options.graph), "--graph FILE.svg"},
             {options.command == "graph" && svg(options.output), "--output FILE.svg"},
             {options.command == "verilog" && options.report, "--report"},
             {view && options.open && !options.surfer, "sme view without --no-open"}})
        if (asks)
            return option;
    const bool reads = view && yaml::is_fst_file(options.network);
    const std::string& file = reads ? options.network : options.reference;
    return yaml::is_fst_file(file) ? "the FST file " + file : "";
}

/// Applies "--safe", which combines all protections; returns an ending for a contradicting option.
std::optional<Ending> fill_safe(Options& options) {
    if (!options.safe)
        return std::nullopt;
    if (options.force)
        return ending_with(Code::bad_option, "'--safe' writes over no file of another kind, which "
                                             "'--force' asks for; give one of them");
    if (const std::string asked = asks_for_program(options); !asked.empty())
        return ending_with(Code::bad_option,
                           fmt::format("'--safe' starts no program, which '{}' asks for; give one "
                                       "of them",
                                       asked));
    options.compile.value = false;
    options.execution = Execution::interpreted;
    return std::nullopt;
}

/// Checks that options concerning cycles are not combined with --untimed, and vice versa.
std::optional<Ending> check_untimed(const po::variables_map& given, bool untimed) {
    constexpr std::array with_clock{
        "cycles",        "trace",     "trace-select", "trace-state", "trace-memory",
        "trace-let",     "keep-last", "validate",     "threads",     "queue",
        "orchestration", "adaptive",  "wait",         "skip",        "grain",
        "schedule",      "emit-c",    "profile",      "coverage",    "checkpoint-every",
        "resume",        "report",    "graph",        "results",     "junit",
        "show",          "wavedrom",  "watch"};
    constexpr std::array without_clock{"runners",   "thread-per-process", "fixed-depths",
                                       "min-depth", "channel-memory",     "firings"};
    if (untimed) {
        for (const char* const name : with_clock)
            if (given.count(name) > 0)
                return ending_with(
                    Code::bad_option,
                    fmt::format("'--{}' is for a run with a clock, which '--untimed' "
                                "does without; give one of them",
                                name));
        return std::nullopt;
    }
    for (const char* const name : without_clock)
        if (given.count(name) > 0)
            return ending_with(Code::bad_option,
                               fmt::format("'--{}' is for a run without a clock; give --untimed as "
                                           "well",
                                           name));
    return std::nullopt;
}

std::optional<Ending> fill(const CommandInfo& command, const po::variables_map& given,
                           Options& options) {
    if (auto ending = read_table(command, given, options))
        return ending;
    if (auto ending = check_untimed(given, options.untimed))
        return ending;
    options.for_network = has_network_options(given);
    options.threads_given = given.count("threads") > 0;
    options.seed_given = given.count("seed") > 0;
    options.run.seed = options.seed;
    if (options.metastability && command.name != std::string_view{"validate"}) {
        if (options.seed_given)
            return ending_with(Code::bad_option, "--metastability gives the seed of the run; leave "
                                                 "out --seed");
        options.run.seed = *options.metastability;
    }
    for (const std::string& path : options.coverage)
        if (!path.ends_with(".info") && !path.ends_with(".json"))
            return ending_with(Code::bad_option,
                               fmt::format("--coverage writes FILE.info (lcov) or FILE.json, but "
                                           "this is '{}'",
                                           path));
    if (const std::string problem = options.graph.empty() ? "" : bad_graph_name(options.graph);
        !problem.empty())
        return ending_with(Code::bad_option, problem);
    options.execution =
        value_named<Execution>(execution_names, options.engine).value_or(Execution::automatic);
    if (auto ending = fill_safe(options))
        return ending;
    if (command.name == std::string_view{"cosim"} && !options.top.empty() && !options.self)
        return ending_with(Code::bad_option, "'--top' chooses what --self compares; give both");
    if (options.self && (options.random || !options.inputs.empty()))
        return ending_with(Code::bad_option,
                           fmt::format("'--self' compares the whole network, which '--{}' does not "
                                       "run; give one of them",
                                       options.random ? "random" : "inputs"));
    if (options.random && !options.inputs.empty())
        return ending_with(Code::bad_option, "'--inputs' takes the place of random values; give it "
                                             "or --random");
    for (const char* const name : {"range", "assume", "handshake", "keep-inputs"})
        if (given.count(name) > 0 && !options.random)
            return ending_with(
                Code::bad_option,
                fmt::format("'--{}' is about random values; give --random N as well", name));
    for (const auto& [name, path] :
         {std::pair{"keep-inputs", options.keep_inputs}, std::pair{"inputs", options.inputs}})
        if (!path.empty() && !path.ends_with(".csv"))
            return ending_with(
                Code::bad_option,
                fmt::format("--{} is a file FILE.csv, but this is '{}'", name, path));
    for (const char* const name : {"instance", "scope", "clock", "reset"})
        if (given.count(name) > 0 && options.reference.empty())
            return ending_with(Code::bad_option,
                               fmt::format("'--{}' is about an implementation that is not in the "
                                           "network; give --reference as well",
                                           name));
    if (auto problem = check_waveform_options(options))
        return ending_with(Code::bad_option, std::move(*problem));
    if (auto ending = fill_checkpoint(options))
        return ending;
    if (auto problem = read_thread_options(options))
        return ending_with(Code::bad_option, std::move(*problem));
    for (const std::string& pair : options.set) {
        const std::size_t equals = pair.find('=');
        if (equals == 0 || equals == std::string::npos)
            return ending_with(Code::bad_option,
                               fmt::format("--set is written NAME=VALUE, but this is '{}'", pair));
        options.parameters[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    return std::nullopt;
}

/// Assigns the positional arguments; returns an ending if there are too few or too many.
std::optional<Ending> take_argument(const CommandInfo& command,
                                    const std::vector<std::string>& given, Options& options) {
    const bool optional = command.argument.starts_with('[');
    const auto words = static_cast<std::size_t>(
        std::count(command.argument.begin(), command.argument.end(), ' ') + 1);
    const std::size_t most = command.argument.empty() ? 0 : words, least = optional ? 0 : most;
    constexpr std::array counts{"no argument", "one argument, ", "two arguments, "};
    if (command.argument.ends_with("...]")) {
        options.networks = given;
        return std::nullopt;
    }
    if (given.size() < least || given.size() > most)
        return ending_with(Code::bad_option,
                           fmt::format("'sme {}' takes {}{}, but {} are given", command.name,
                                       counts.at(most), command.argument, given.size()));
    if (!given.empty())
        (command.argument.starts_with("NETWORK") ? options.network : options.argument) = given[0];
    if (given.size() > 1)
        options.second = given[1];
    return std::nullopt;
}

Ending unknown_option(const CommandInfo& command, const std::string& name) {
    std::vector<std::string> names;
    for (const OptionInfo& option : listed_options(command))
        names.push_back(option.name);
    const std::string near = did_you_mean(name, names);
    return ending_with(
        Code::bad_option,
        fmt::format("'sme {}' has no option '{}'{} 'sme {} --help' lists the options", command.name,
                    name, near.empty() ? ";" : near, command.name));
}

Ending unknown_command(const std::string& name) {
    std::vector<std::string> names;
    for (const CommandInfo& command : all_commands())
        names.emplace_back(command.name);
    Ending ending = ending_with(Code::bad_option, fmt::format("there is no command '{}'{}", name,
                                                              did_you_mean(name, names)));
    ending.text += overview();
    return ending;
}

} // namespace

std::variant<Options, Ending> read_options(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return Ending{exit_code::usage, first_steps()};
    Options options;
    options.command = arguments[0];
    options.words = arguments;
    if (options.command == "--help" || options.command == "-h" || options.command == "help")
        return Ending{exit_code::fine, overview()};
    if (options.command == "--version" || options.command == "version" || options.command == "-V")
        return Ending{exit_code::fine, "sme " SME_VERSION "\n" + verilator::described_in_path()};
    const CommandInfo* command = find_command(options.command);
    if (!command)
        return unknown_command(options.command);
    po::options_description visible = options_of(*command);
    po::options_description all;
    all.add(visible);
    all.add_options()("argument", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("argument", -1);
    po::variables_map given;
    try {
        const std::vector<std::string> rest =
            with_new_names(options.command, {arguments.begin() + 1, arguments.end()});
        po::store(
            po::command_line_parser{rest}
                .options(all)
                .positional(positional)
                .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                .run(),
            given);
    } catch (const po::unknown_option& error) {
        return unknown_option(*command, error.get_option_name());
    } catch (const po::error& error) {
        return ending_with(Code::bad_option, fmt::format("{}; 'sme {} --help' lists the options",
                                                         error.what(), options.command));
    }
    if (given.count("help")) {
        std::ostringstream text;
        text << "usage: sme " << options.command << (command->argument.empty() ? "" : " ")
             << command->argument << " [options]\n\n"
             << visible;
        return Ending{exit_code::fine, text.str()};
    }
    const auto rest = given.count("argument") ? given["argument"].as<std::vector<std::string>>()
                                              : std::vector<std::string>{};
    if (std::optional<Ending> ending = take_argument(*command, rest, options))
        return *ending;
    if (std::optional<Ending> ending = fill(*command, given, options))
        return *ending;
    return options;
}

} // namespace sme::cli
