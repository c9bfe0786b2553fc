// SPDX-License-Identifier: Apache-2.0
// Counts the words of a text, by two MapReduces or by a dedicated network.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "networks.hpp"
#include "support/program.hpp"
#include "support/untimed.hpp"

namespace {

using namespace models;

struct Options {
    std::string input;
    std::string output;
    std::uint64_t workers = 8;
    Runners runners;
    bool map_reduce = false;
    bool pairs = false;
};

/// Adds the processes between the parts of the text and the sorted lists.
void add_map_reduces(sme::KahnNetwork& network, const Options& options,
                     const std::vector<sme::Channel<std::string_view>>& parts,
                     const std::vector<sme::Channel<Counts>>& lists) {
    const auto counts = network.channels<Counts>("counts", options.workers).all();
    sme::add_map_reduce<CountWords>(network, "count", parts, counts);
    sme::add_map_reduce<OrderWords>(network, "order", counts, lists);
}

/// The same, with half the processes and without a sort of all words. `Message`: what a process of
/// class `Counter` sends to one of class `Sums`.
template <class Message, class Counter, class Sums>
void add_counters(sme::KahnNetwork& network, const Options& options,
                  const std::vector<sme::Channel<std::string_view>>& parts,
                  const std::vector<sme::Channel<Counts>>& lists) {
    std::vector<std::vector<sme::Channel<Message>>> to_sum(options.workers);
    for (std::uint64_t k = 0; k < options.workers; ++k) {
        const auto row =
            network.channels<Message>("counts_of_" + std::to_string(k), options.workers).all();
        for (std::uint64_t sum = 0; sum < options.workers; ++sum)
            to_sum[sum].push_back(row[sum]);
        network.add<Counter>(sme::indexed("count", k), in(parts[k]), out(row));
    }
    for (std::uint64_t k = 0; k < options.workers; ++k)
        network.add<Sums>(sme::indexed("sum", k), in(to_sum[k]), out(lists[k]));
}

bool run(const Options& options) {
    if (options.input.empty())
        throw BadInput{"no text; give --input FILE"};
    if (options.pairs && options.map_reduce)
        throw BadInput{"--pairs is for the other network; leave out --map-reduce"};
    const std::string text = bytes_of(options.input);
    sme::KahnNetwork network{"wordcount"};
    const auto parts = network.channels<std::string_view>("part", options.workers).all();
    const auto lists = network.channels<Counts>("list", options.workers).all();
    network.add<Split>("split", parts_of(text, options.workers), out(parts));
    (options.map_reduce ? add_map_reduces
     : options.pairs    ? add_counters<CountPairs::Pair, CountPairs, SumPairs>
                     : add_counters<Counts, CountPart, SumAndSort>)(network, options, parts, lists);
    const auto merge = network.add<Merge>("merge", in(lists));

    sme::Untimed program{network, options.runners.options()};
    const double seconds = seconds_of(program);

    const Counts& counts = program.process(merge).all;
    std::printf("%llu words, %zu different: %.3f s\n",
                static_cast<unsigned long long>(words_of(counts)), counts.size(), seconds);
    if (!options.output.empty())
        write_file(options.output, listing_of(counts));
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"wordcount", "Counts the words of a text, the most frequent first"};
    program.text("input", options.input, "the text; a word is a sequence of letters A to Z")
        .text("output", options.output, "where the list is written: a count and a word a line")
        .number("workers", options.workers, 1, 1000, "of each kind")
        .flag("map-reduce", options.map_reduce, "by two MapReduces in a row")
        .flag("pairs", options.pairs, "with a message for each word, instead of one for all");
    options.runners.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
