// SPDX-License-Identifier: Apache-2.0
// Counts the words of a text, by two MapReduces or by a network of its own.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sme/untimed.hpp>

#include "networks.hpp"
#include "support/program.hpp"

namespace {

using namespace models;

struct Options {
    std::string input;
    std::string output;
    std::uint64_t workers = 8;
    std::uint64_t runners = 1;
    bool map_reduce = false;
    bool threads = false;
};

template <class T>
std::vector<sme::Channel<T>> family(sme::KahnNetwork& network, const std::string& name,
                                    std::uint64_t count) {
    const sme::Channels<T> channels = network.channels<T>(name, count);
    std::vector<sme::Channel<T>> all;
    for (std::uint64_t k = 0; k < count; ++k)
        all.push_back(channels[k]);
    return all;
}

/// Adds what stands between the parts of the text and the sorted lists.
void add_map_reduces(sme::KahnNetwork& network, const Options& options,
                     const std::vector<sme::Channel<std::string_view>>& parts,
                     const std::vector<sme::Channel<Counts>>& lists) {
    const auto counts = family<Counts>(network, "counts", options.workers);
    sme::add_map_reduce<CountWords>(network, "count", parts, counts);
    sme::add_map_reduce<OrderWords>(network, "order", counts, lists);
}

/// The same, with half the processes and without a sort of all words.
void add_counters(sme::KahnNetwork& network, const Options& options,
                  const std::vector<sme::Channel<std::string_view>>& parts,
                  const std::vector<sme::Channel<Counts>>& lists) {
    std::vector<std::vector<sme::Channel<Counts>>> to_sum(options.workers);
    for (std::uint64_t k = 0; k < options.workers; ++k) {
        const auto row = family<Counts>(network, "counts_of_" + std::to_string(k), options.workers);
        for (std::uint64_t sum = 0; sum < options.workers; ++sum)
            to_sum[sum].push_back(row[sum]);
        network.add<CountPart>(sme::indexed("count", k), in(parts[k]), out(row));
    }
    for (std::uint64_t k = 0; k < options.workers; ++k)
        network.add<SumAndSort>(sme::indexed("sum", k), in(to_sum[k]), out(lists[k]));
}

bool run(const Options& options) {
    if (options.input.empty())
        throw BadInput{"no text; give --input FILE"};
    const std::string text = bytes_of(options.input);
    sme::KahnNetwork network{"wordcount"};
    const auto parts = family<std::string_view>(network, "part", options.workers);
    const auto lists = family<Counts>(network, "list", options.workers);
    network.add<Split>("split", parts_of(text, options.workers), out(parts));
    (options.map_reduce ? add_map_reduces : add_counters)(network, options, parts, lists);
    const auto merge = network.add<Merge>("merge", in(lists));

    sme::Untimed program{
        network,
        {.runners = static_cast<unsigned>(options.runners), .thread_per_process = options.threads}};
    const auto start = std::chrono::steady_clock::now();
    const sme::UntimedResult result = program.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!result.completed())
        throw std::runtime_error{result.explanation};

    const Counts& counts = program.process(merge).all;
    std::string listing;
    std::uint64_t words = 0;
    for (const Count& count : counts) {
        listing += std::to_string(count.times) + " " + count.word + "\n";
        words += count.times;
    }
    std::printf("%llu words, %zu different: %.3f s\n", static_cast<unsigned long long>(words),
                counts.size(), seconds.count());
    if (!options.output.empty())
        write_file(options.output, listing);
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"wordcount", "Counts the words of a text, the most frequent first"};
    program.text("input", options.input, "the text; a word is a sequence of letters A to Z")
        .text("output", options.output, "where the list is written: a count and a word a line")
        .number("workers", options.workers, 1, 1000, "of each kind")
        .number("runners", options.runners, 1, 256, "threads that run the processes")
        .flag("map-reduce", options.map_reduce, "by two MapReduces in a row")
        .flag("threads", options.threads, "a thread of the operating system for each process");
    return program.run(argc, argv, [&] { return run(options); });
}
