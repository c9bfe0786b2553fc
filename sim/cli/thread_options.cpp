// SPDX-License-Identifier: Apache-2.0
#include "cli/thread_options.hpp"

#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "bits/integer.hpp"

namespace sme::cli {

namespace {

template <class Names>
std::string unknown_word(const std::string& option, const std::string& text, const Names& names) {
    const std::string near = did_you_mean(text, {names.begin(), names.end()});
    return fmt::format("--{} is one of {}, but this is '{}'{}", option, fmt::join(names, ", "),
                       text, near);
}

/// Reads an option whose value has a name, if it is given. A complaint when it has another.
template <class Enumeration, class Names>
std::optional<std::string> read_word(const std::string& option,
                                     const boost::program_options::variables_map& given,
                                     const Names& names, Enumeration& value) {
    if (given.count(option) == 0)
        return std::nullopt;
    const auto& text = given[option].as<std::string>();
    const auto found = value_named<Enumeration>(names, text);
    if (!found)
        return unknown_word(option, text, names);
    value = *found;
    return std::nullopt;
}

std::optional<std::string> read_threads(const std::string& text, Options& options) {
    if (text == "auto") {
        options.run.threads = 0;
        return std::nullopt;
    }
    const std::optional<Integer> threads = parse_integer(text);
    if (!threads || *threads < 1 || *threads > most_threads)
        return fmt::format("--threads is 'auto' or a whole number from 1 to {}, but this is '{}'",
                           most_threads, text);
    options.run.threads = static_cast<unsigned>(*threads);
    return std::nullopt;
}

/// "1,2,4"
std::optional<std::string> read_counts(const std::string& text, Options& options) {
    options.counts.clear();
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<Integer> count = parse_integer(text.substr(begin, end - begin));
        if (!count || *count < 1 || *count > most_threads)
            return fmt::format("--threads is a row of whole numbers from 1 to {}, as in 1,2,4, but "
                               "this is '{}'",
                               most_threads, text);
        options.counts.push_back(static_cast<unsigned>(*count));
        begin = end + 1;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> read_thread_options(const boost::program_options::variables_map& given,
                                               Options& options) {
    const auto text = [&](const char* name) {
        return given.count(name) ? given[name].as<std::string>() : std::string{};
    };
    options.threads_given = given.count("threads") > 0;
    if (options.threads_given)
        if (auto problem = options.command == "predict" ? read_counts(text("threads"), options)
                                                        : read_threads(text("threads"), options))
            return problem;
    if (auto problem = read_word("queue", given, queue_names, options.run.queue))
        return problem;
    if (auto problem = read_word("wait", given, wait_names, options.run.wait))
        return problem;
    if (given.count("orchestration")) {
        options.run.policy = make_policy(text("orchestration"));
        if (!options.run.policy)
            return unknown_word("orchestration", text("orchestration"), policy_names);
    }
    options.run.adaptive = given.count("adaptive") > 0;
    if (given.count("grain")) {
        const std::optional<Integer> grain = parse_integer(text("grain"));
        if (!grain || *grain < 1 || *grain > 1'000'000'000)
            return fmt::format("--grain is a whole number from 1 to 1000000000, but this is '{}'",
                               text("grain"));
        options.run.grain = static_cast<std::uint64_t>(*grain);
        if (options.run.queue != QueueKind::atomic)
            return "--grain is for --queue atomic";
    }
    return std::nullopt;
}

} // namespace sme::cli
