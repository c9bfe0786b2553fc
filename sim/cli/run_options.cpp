// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <vector>

#include <fmt/format.h>

#include "bits/integer.hpp"

namespace sme::cli {

namespace {

std::optional<std::string> read_threads(const std::string& text, Options& options) {
    if (text == "auto") {
        options.run.threads = 0;
        return std::nullopt;
    }
    const std::optional<Integer> threads = parse_integer(text);
    if (!threads || *threads < 1 || *threads > max_threads)
        return fmt::format("--threads is 'auto' or a whole number from 1 to {}, but this is '{}'",
                           max_threads, text);
    options.run.threads = static_cast<unsigned>(*threads);
    return std::nullopt;
}

constexpr unsigned max_ranks = 100'000;

/// "1,2,4"
std::optional<std::string> read_counts(const std::string& option, const std::string& text,
                                       unsigned most, std::vector<unsigned>& counts) {
    counts.clear();
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<Integer> count = parse_integer(text.substr(begin, end - begin));
        if (!count || *count < 1 || *count > most)
            return fmt::format("{} is a row of whole numbers from 1 to {}, as in 1,2,4, but "
                               "this is '{}'",
                               option, most, text);
        counts.push_back(static_cast<unsigned>(*count));
        begin = end + 1;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> read_thread_options(Options& options) {
    if (options.threads_given)
        if (auto problem = options.command == "predict" ? read_counts("--threads", options.threads,
                                                                      max_threads, options.counts)
                                                        : read_threads(options.threads, options))
            return problem;
    if (!options.ranks.empty()) {
        if (auto problem = read_counts("--ranks", options.ranks, max_ranks, options.rank_counts))
            return problem;
    } else if (options.latency > 0 || options.bandwidth > 0)
        return "--latency and --bandwidth are of the links between ranks; give --ranks N as well";
    SimulatorOptions& run = options.run;
    run.queue = value_named<QueueKind>(queue_names, options.queue).value_or(run.queue);
    run.wait = value_named<Wait>(wait_names, options.wait).value_or(run.wait);
    run.skipping = value_named<Skipping>(skipping_names, options.skip).value_or(run.skipping);
    if (!options.orchestration.empty())
        run.policy = make_policy(options.orchestration);
    run.adaptive = options.adaptive;
    run.grain = options.grain;
    if (run.grain > 0 && run.queue != QueueKind::atomic)
        return "--grain is for --queue atomic";
    return std::nullopt;
}

std::optional<std::string> check_waveform_options(const Options& options) {
    const bool nothing_drawn = options.show.empty() && options.wavedrom.empty();
    for (const auto& [name, given] :
         {std::pair{"from", options.from.has_value()}, std::pair{"to", options.to.has_value()}})
        if (given && nothing_drawn)
            return fmt::format("'--{}' says which cycles are drawn; give --show GLOB or "
                               "--wavedrom FILE as well",
                               name);
    if (options.ascii && options.show.empty())
        return "'--ascii' says how a waveform is drawn; give --show GLOB as well";
    if (options.to && *options.to <= options.from.value_or(0))
        return fmt::format("--to is the cycle after the last one that is drawn, but {} is not "
                           "after {}, with which it begins",
                           *options.to, options.from.value_or(0));
    for (const std::string& path : options.wavedrom)
        if (!path.ends_with(".json") && !path.ends_with(".svg"))
            return fmt::format("--wavedrom writes FILE.json (WaveJSON) or FILE.svg, but this "
                               "is '{}'",
                               path);
    return std::nullopt;
}

std::string bad_graph_name(const std::string& path) {
    if (path.ends_with(".svg") || path.ends_with(".dot") || path.ends_with(".gv"))
        return {};
    return fmt::format("a graph is written as DOT or SVG, but this is '{}'; name it FILE.dot or "
                       "FILE.svg",
                       path);
}

} // namespace sme::cli
