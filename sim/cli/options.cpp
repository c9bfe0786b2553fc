// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <sstream>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "bits/integer.hpp"

namespace sme::cli {

namespace po = boost::program_options;

namespace {

/// The commands that take a network.
const std::vector<std::string> commands{"run", "check", "graph"};

constexpr const char* overview = R"(usage: sme COMMAND NETWORK [options]

commands:
  run     run a network, check it and write its waveform
  check   look for errors in a network, without running it
  graph   draw a network, as DOT or SVG

'sme COMMAND --help' lists the options of a command.
)";

po::options_description described(const std::string& command) {
    po::options_description options{fmt::format("options of 'sme {}'", command)};
    auto add = options.add_options();
    add("help", "print this and end");
    add("set", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE"),
        "give a parameter another value");
    add("strict", "treat warnings as errors");
    if (command == "run") {
        add("cycles", po::value<std::string>()->value_name("N"), "run N cycles (1 to 2^62)");
        add("trace", po::value<std::string>()->value_name("FILE.vcd"), "write the waveform");
        add("trace-select", po::value<std::string>()->value_name("GLOB"),
            "trace the buses whose names match (several: between commas)");
        add("trace-state", "trace the states of processes, too");
        add("seed", po::value<std::string>()->value_name("N"), "seed of what is random (0)");
        add("stats", "print what the run cost to standard error");
    }
    if (command == "graph")
        add("output,o", po::value<std::string>()->value_name("FILE"),
            "write to FILE.dot, or to FILE.svg with the help of Graphviz; DOT on standard output "
            "without it");
    return options;
}

/// A whole number in a range, or an ending that says what is wrong.
std::variant<std::uint64_t, Ending> number(const std::string& option, const std::string& text,
                                           Integer low, Integer high) {
    const std::optional<Integer> value = parse_integer(text);
    if (value && *value >= low && *value <= high)
        return static_cast<std::uint64_t>(*value);
    return Ending{exit_code::usage,
                  fmt::format("error: --{} is a whole number from {} to {}, but this is '{}'\n",
                              option, to_string(low), to_string(high), text)};
}

std::optional<Ending> fill(const po::variables_map& given, Options& options) {
    const auto text = [&](const char* name) {
        return given.count(name) ? given[name].as<std::string>() : std::string{};
    };
    options.output = text("output");
    options.trace = text("trace");
    options.trace_select = text("trace-select");
    options.trace_state = given.count("trace-state") > 0;
    options.stats = given.count("stats") > 0;
    options.strict = given.count("strict") > 0;
    if (given.count("cycles")) {
        auto cycles = number("cycles", text("cycles"), 1, Integer{1} << 62);
        if (const auto* ending = std::get_if<Ending>(&cycles))
            return *ending;
        options.cycles = std::get<std::uint64_t>(cycles);
    }
    if (given.count("seed")) {
        auto seed = number("seed", text("seed"), 0, (Integer{1} << 64) - 1);
        if (const auto* ending = std::get_if<Ending>(&seed))
            return *ending;
        options.seed = std::get<std::uint64_t>(seed);
    }
    if (given.count("set"))
        for (const std::string& pair : given["set"].as<std::vector<std::string>>()) {
            const std::size_t equals = pair.find('=');
            if (equals == 0 || equals == std::string::npos)
                return Ending{
                    exit_code::usage,
                    fmt::format("error: --set is written NAME=VALUE, but this is '{}'\n", pair)};
            options.parameters[pair.substr(0, equals)] = pair.substr(equals + 1);
        }
    return std::nullopt;
}

} // namespace

std::variant<Options, Ending> read_options(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return Ending{exit_code::usage, overview};
    Options options;
    options.command = arguments[0];
    if (options.command == "--help" || options.command == "-h" || options.command == "help")
        return Ending{exit_code::fine, overview};
    if (options.command == "--version")
        return Ending{exit_code::fine, "sme " SME_VERSION "\n"};
    if (std::find(commands.begin(), commands.end(), options.command) == commands.end())
        return Ending{exit_code::usage,
                      fmt::format("error: there is no command '{}'{}\n{}", options.command,
                                  did_you_mean(options.command, commands), overview)};
    po::options_description visible = described(options.command);
    po::options_description all;
    all.add(visible);
    all.add_options()("network", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("network", -1);
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
    } catch (const po::error& error) {
        return Ending{exit_code::usage,
                      fmt::format("error: {}; 'sme {} --help' lists the options\n", error.what(),
                                  options.command)};
    }
    if (given.count("help")) {
        std::ostringstream text;
        text << "usage: sme " << options.command << " NETWORK [options]\n\n" << visible;
        return Ending{exit_code::fine, text.str()};
    }
    const auto networks = given.count("network") ? given["network"].as<std::vector<std::string>>()
                                                 : std::vector<std::string>{};
    if (networks.size() != 1)
        return Ending{exit_code::usage,
                      fmt::format("error: 'sme {}' takes one network file, but {} are given\n",
                                  options.command, networks.size())};
    options.network = networks[0];
    if (std::optional<Ending> ending = fill(given, options))
        return *ending;
    return options;
}

} // namespace sme::cli
