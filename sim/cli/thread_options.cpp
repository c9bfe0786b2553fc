// SPDX-License-Identifier: Apache-2.0
#include "cli/thread_options.hpp"

#include <map>
#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "cli/command_table.hpp"

namespace sme::cli {

namespace {

std::string unknown_word(const std::string& option, const std::string& text, const char* words) {
    const std::vector<std::string> known = words_of(words);
    const std::string near = did_you_mean(text, known);
    return fmt::format("--{} is one of {}, but this is '{}'{}", option, fmt::join(known, ", "),
                       text, near);
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
    static const std::map<std::string, QueueKind> queues{{"static", QueueKind::fixed},
                                                         {"atomic", QueueKind::atomic},
                                                         {"stealing", QueueKind::stealing}};
    static const std::map<std::string, Wait> waits{
        {"auto", Wait::automatic}, {"spin", Wait::spin}, {"block", Wait::block}};
    if (given.count("threads"))
        if (auto problem = options.command == "predict" ? read_counts(text("threads"), options)
                                                        : read_threads(text("threads"), options))
            return problem;
    if (given.count("queue")) {
        const auto found = queues.find(text("queue"));
        if (found == queues.end())
            return unknown_word("queue", text("queue"), queue_words);
        options.run.queue = found->second;
    }
    if (given.count("wait")) {
        const auto found = waits.find(text("wait"));
        if (found == waits.end())
            return unknown_word("wait", text("wait"), wait_words);
        options.run.wait = found->second;
    }
    if (given.count("orchestration")) {
        options.run.policy = make_policy(text("orchestration"));
        if (!options.run.policy)
            return unknown_word("orchestration", text("orchestration"), policy_words);
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
