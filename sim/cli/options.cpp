// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "cli/command_table.hpp"
#include "cli/reports/findings.hpp"
#include "cli/thread_options.hpp"

namespace sme::cli {

namespace po = boost::program_options;

namespace {

/// An ending with an error that has no place in a file.
Ending ending_with(Code code, std::string message) {
    return {exit_code::usage, complaint(code, std::move(message))};
}

/// A whole number in a range, or an ending that says what is wrong.
std::variant<std::uint64_t, Ending> number(Code code, const std::string& option,
                                           const std::string& text, Integer low, Integer high) {
    const std::optional<Integer> value = parse_integer(text);
    if (value && *value >= low && *value <= high)
        return static_cast<std::uint64_t>(*value);
    return ending_with(code, fmt::format("--{} is a whole number from {} to {}, but this is '{}'",
                                         option, to_string(low), to_string(high), text));
}

std::string text_of(const po::variables_map& given, const char* name) {
    return given.count(name) ? given[name].as<std::string>() : std::string{};
}

std::vector<std::string> texts_of(const po::variables_map& given, const char* name) {
    return given.count(name) ? given[name].as<std::vector<std::string>>()
                             : std::vector<std::string>{};
}

/// The options that are whole numbers; an ending for the first that is none.
std::optional<Ending> fill_numbers(const po::variables_map& given, Options& options) {
    struct Number {
        const char* name;
        Code code;
        Integer low, high;
        std::function<void(std::uint64_t)> set;
    };
    const Integer most_cycles = Integer{1} << 62;
    const Number numbers[] = {
        {"orders", Code::bad_option, 0, 1'000'000,
         [&](std::uint64_t value) { options.orders = static_cast<unsigned>(value); }},
        {"random", Code::bad_cycles, 1, most_cycles,
         [&](std::uint64_t value) { options.random = value; }},
        {"cycles", Code::bad_cycles, 1, most_cycles,
         [&](std::uint64_t value) { options.cycles = value; }},
        {"keep-last", Code::bad_option, 1, 1'000'000'000,
         [&](std::uint64_t value) { options.keep_last = value; }},
        {"seed", Code::bad_option, 0, (Integer{1} << 64) - 1,
         [&](std::uint64_t value) {
             options.run.seed = value;
             options.seed_given = true;
         }},
        {"most", Code::bad_option, 1, most_cycles,
         [&](std::uint64_t value) { options.diff.most = value; }},
    };
    for (const Number& wanted : numbers) {
        if (!given.count(wanted.name))
            continue;
        auto read =
            number(wanted.code, wanted.name, text_of(given, wanted.name), wanted.low, wanted.high);
        if (const auto* ending = std::get_if<Ending>(&read))
            return *ending;
        wanted.set(std::get<std::uint64_t>(read));
    }
    return std::nullopt;
}

/// "--checkpoint-every N FILE"
std::optional<Ending> fill_checkpoint(const po::variables_map& given, Options& options) {
    const std::vector<std::string> words = texts_of(given, "checkpoint-every");
    if (words.empty())
        return std::nullopt;
    if (words.size() != 2 || words[1].empty())
        return ending_with(Code::bad_option,
                           "--checkpoint-every is written --checkpoint-every N FILE");
    auto cycles = number(Code::bad_cycles, "checkpoint-every", words[0], 1, Integer{1} << 62);
    if (const auto* ending = std::get_if<Ending>(&cycles))
        return *ending;
    options.checkpoint_every = std::get<std::uint64_t>(cycles);
    options.checkpoint = words[1];
    return std::nullopt;
}

void fill_diff(const po::variables_map& given, DiffOptions& diff) {
    diff.maps = texts_of(given, "map");
    diff.select = texts_of(given, "select");
    diff.ignore = texts_of(given, "ignore");
    diff.shift = text_of(given, "shift");
    diff.any_x = text_of(given, "any-x");
    diff.tolerance = text_of(given, "tolerance");
}

/// Whether there are options of how to load or run a network.
void note_network_options(const po::variables_map& given, Options& options) {
    for (const char* name : {"set",         "strict",
                             "no-compile",  "cycles",
                             "trace",       "trace-select",
                             "trace-state", "seed",
                             "stats",       "threads",
                             "queue",       "orchestration",
                             "adaptive",    "wait",
                             "grain",       "profile",
                             "schedule",    "results",
                             "junit",       "keep-last",
                             "coverage",    "validate",
                             "engine",      "emit-c",
                             "resume",      "checkpoint-every"})
        options.for_network = options.for_network || given.count(name) > 0;
}

std::optional<Ending> fill_engine(const po::variables_map& given, Options& options) {
    if (const std::string engine = text_of(given, "engine"); !engine.empty()) {
        constexpr std::array names{"auto", "interpreted", "native"};
        const auto found = std::find(names.begin(), names.end(), engine);
        if (found == names.end())
            return ending_with(
                Code::bad_option,
                fmt::format("--engine is 'auto', 'interpreted' or 'native', but this is '{}'",
                            engine));
        options.execution = static_cast<Execution>(found - names.begin());
    }
    return std::nullopt;
}

/// "--safe" is all protections in one word; what contradicts it is an ending.
std::optional<Ending> fill_safe(const po::variables_map& given, Options& options) {
    options.safe = given.count("safe") > 0;
    if (!options.safe)
        return std::nullopt;
    if (options.force)
        return ending_with(Code::bad_option, "'--safe' writes over no file of another kind, which "
                                             "'--force' asks for; give one of them");
    if (options.compile_asked || options.execution == Execution::native)
        return ending_with(Code::bad_option,
                           fmt::format("'--safe' starts no compiler, which '{}' asks for; give one "
                                       "of them",
                                       options.compile_asked ? "--compile" : "--engine native"));
    options.compile = false;
    options.execution = Execution::interpreted;
    return std::nullopt;
}

std::optional<Ending> fill(const po::variables_map& given, Options& options) {
    const auto text = [&](const char* name) { return text_of(given, name); };
    options.output = text("output");
    options.open = given.count("no-open") == 0;
    options.overwrite = given.count("overwrite") > 0;
    options.compile = given.count("no-compile") == 0;
    options.compile_asked = given.count("compile") > 0;
    options.force = given.count("force") > 0;
    options.allow = texts_of(given, "allow");
    note_network_options(given, options);
    options.trace = text("trace");
    options.trace_select = text("trace-select");
    options.trace_state = given.count("trace-state") > 0;
    options.stats = given.count("stats") > 0;
    options.profile = text("profile");
    options.schedule = text("schedule");
    options.results = text("results");
    options.junit = text("junit");
    options.coverage = texts_of(given, "coverage");
    for (const std::string& path : options.coverage)
        if (!path.ends_with(".info") && !path.ends_with(".json"))
            return ending_with(Code::bad_option,
                               fmt::format("--coverage writes FILE.info (lcov) or FILE.json, but "
                                           "this is '{}'",
                                           path));
    if (auto ending = fill_engine(given, options))
        return ending;
    if (auto ending = fill_safe(given, options))
        return ending;
    options.emit_c = text("emit-c");
    options.resume = text("resume");
    options.strict = given.count("strict") > 0;
    options.print = given.count("print") > 0;
    options.report = given.count("report") > 0;
    options.self = given.count("self") > 0;
    options.validate = given.count("validate") > 0;
    if (options.self && given.count("random"))
        return ending_with(Code::bad_option,
                           "'--self' compares the whole network, which '--random' does not run; "
                           "give one of them");
    if (auto ending = fill_numbers(given, options))
        return ending;
    if (auto ending = fill_checkpoint(given, options))
        return ending;
    fill_diff(given, options.diff);
    if (auto problem = read_thread_options(given, options))
        return ending_with(Code::bad_option, std::move(*problem));
    for (const std::string& pair : texts_of(given, "set")) {
        const std::size_t equals = pair.find('=');
        if (equals == 0 || equals == std::string::npos)
            return ending_with(Code::bad_option,
                               fmt::format("--set is written NAME=VALUE, but this is '{}'", pair));
        options.parameters[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    return std::nullopt;
}

/// Puts the arguments that are no options where they belong; an ending when their number is wrong.
std::optional<Ending> take_argument(const CommandInfo& command,
                                    const std::vector<std::string>& given, Options& options) {
    const bool optional = command.argument.starts_with('[');
    const auto words = static_cast<std::size_t>(
        std::count(command.argument.begin(), command.argument.end(), ' ') + 1);
    const std::size_t most = command.argument.empty() ? 0 : words, least = optional ? 0 : most;
    constexpr std::array counts{"no argument", "one argument, ", "two arguments, "};
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
        return Ending{exit_code::usage, overview()};
    Options options;
    options.command = arguments[0];
    if (options.command == "--help" || options.command == "-h" || options.command == "help")
        return Ending{exit_code::fine, overview()};
    if (options.command == "--version" || options.command == "version" || options.command == "-V")
        return Ending{exit_code::fine, "sme " SME_VERSION "\n"};
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
        const std::vector<std::string> rest{arguments.begin() + 1, arguments.end()};
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
    if (std::optional<Ending> ending = fill(given, options))
        return *ending;
    return options;
}

} // namespace sme::cli
