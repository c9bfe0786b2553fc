// SPDX-License-Identifier: Apache-2.0
// Rings of nodes that add one to a token and pass it on: under a clock, without one, or both.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sme/clocked.hpp>
#include <sme/sme.hpp>

#include "nodes.hpp"
#include "support/program.hpp"
#include "support/untimed.hpp"

namespace {

using namespace models;

enum class Kind : std::uint8_t { channels, buses, clocked };
constexpr std::array<std::string_view, 3> kind_names{"channels", "buses", "clocked"};
enum class Place : std::uint8_t { anywhere, good, bad };
constexpr std::array<std::string_view, 3> place_names{"anywhere", "good", "bad"};

struct Options {
    Kind kind = Kind::channels;
    std::uint64_t nodes = 256;
    std::uint64_t tokens = 1;
    std::uint64_t trips = 1024;
    std::uint64_t depth = 1;
    Load load = Load::pass;
    std::uint64_t divisions = 10'000;
    std::uint64_t nap_us = 100;
    Runners runners;
    Place place = Place::anywhere;
    sme::SimulatorOptions simulator{.threads = 1};
    std::uint64_t simulator_threads = 1;
    std::string policy = "optimize";

    Work work(std::uint64_t node) const {
        return {load, divisions, std::chrono::microseconds{nap_us}, node, nodes};
    }
};

/// Prints the result, and the duration of each of `steps`. Returns false if the sum is wrong.
bool report(std::uint64_t sum, std::uint64_t expected, double seconds, std::uint64_t steps) {
    std::printf("sum %llu, %.1f ns for each of %llu tokens handed on\n",
                static_cast<unsigned long long>(sum), seconds * 1e9 / static_cast<double>(steps),
                static_cast<unsigned long long>(steps));
    if (sum != expected)
        std::fprintf(stderr, "rings: the sum must be %llu\n",
                     static_cast<unsigned long long>(expected));
    return sum == expected;
}

/// Returns the sum of the tokens after all trips: T tokens start at 1, 2, ..., and pass n − 1
/// elements once more than the initiator.
std::uint64_t sum_of(const Options& options) {
    const std::uint64_t t = options.tokens;
    const std::uint64_t c = options.trips;
    return t * (t + 1) / 2 + t * ((options.nodes - 1) * (c + 1) + c);
}

/// Places a process. Good: neighbours share a runner where possible. Bad: they never do. A sleeping
/// node has its own thread.
void place(const Options& options, const auto& handle, std::uint64_t node) {
    if (options.work(node).sleeps() && options.kind == Kind::channels)
        handle.on(sme::Runner::own());
    else if (options.place == Place::good)
        handle.on(
            sme::Runner{static_cast<std::uint32_t>(node * options.runners.count / options.nodes)});
    else if (options.place == Place::bad)
        handle.on(sme::Runner{static_cast<std::uint32_t>(node % options.runners.count)});
}

sme::KahnHandle<Initiator> add_ring(sme::KahnNetwork& network, const Options& options) {
    const auto token = network.channels<std::uint64_t>(
        "token", options.nodes, sme::Depth{static_cast<std::uint32_t>(options.depth)});
    auto first = network.add<Initiator>("initiator", options.tokens, options.trips,
                                        sme::in(token[options.nodes - 1]), sme::out(token[0]),
                                        options.work(0));
    place(options, first, 0);
    for (std::uint64_t k = 1; k < options.nodes; ++k)
        place(options,
              network.add<Element>(sme::indexed("element", k), sme::in(token[k - 1]),
                                   sme::out(token[k]), options.work(k)),
              k);
    return first;
}

bool run_channels(const Options& options) {
    sme::KahnNetwork network{"rings"};
    const auto initiator = add_ring(network, options);
    sme::Untimed program{network, options.runners.options()};
    const double seconds = seconds_of(program);
    return report(program.process(initiator).sum, sum_of(options), seconds,
                  options.nodes * options.tokens * options.trips);
}

bool run_clocked(const Options& options) {
    sme::KahnNetwork ring{"rings"};
    const auto initiator = add_ring(ring, options);
    sme::Network network{"rings"};
    const sme::ClockedKahn clocked = sme::add_clocked(network, ring);
    sme::Simulator simulator{network, options.simulator};
    const auto start = std::chrono::steady_clock::now();
    simulator.run(sme::Cycles{std::numeric_limits<std::uint64_t>::max()});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%llu cycles\n", static_cast<unsigned long long>(simulator.cycle()));
    return report(clocked.process(simulator, initiator).sum, sum_of(options), seconds.count(),
                  options.nodes * options.tokens * options.trips);
}

/// Runs a token on each bus; the number of trips is the number of cycles.
bool run_buses(const Options& options) {
    sme::Network network{"rings"};
    const auto token = network.buses<std::uint64_t>("token", options.nodes);
    for (std::uint64_t k = 0; k < options.nodes; ++k)
        network.add<Node>(sme::indexed("node", k),
                          sme::in(token[(k + options.nodes - 1) % options.nodes]),
                          sme::out(token[k]), options.work(k));
    sme::Simulator simulator{network, options.simulator};
    const auto start = std::chrono::steady_clock::now();
    simulator.run(sme::Cycles{options.trips});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < options.nodes; ++k)
        sum += simulator.peek(token[k]);
    return report(sum, options.nodes * options.trips, seconds.count(),
                  options.nodes * options.trips);
}

bool run(Options& options) {
    if (options.kind != Kind::buses && options.nodes < 2)
        throw BadInput{"a ring of channels has two nodes or more; give --nodes 2"};
    if (options.place != Place::anywhere && options.runners.threads)
        throw BadInput{"--place is about runners; leave out --threads"};
    if (options.place != Place::anywhere && options.kind != Kind::channels)
        throw BadInput{"--place is about runners; give --kind channels"};
    options.simulator.threads = static_cast<unsigned>(options.simulator_threads);
    options.simulator.policy = sme::make_policy(options.policy);
    if (!options.simulator.policy)
        throw BadInput{"--policy '" + options.policy + "': give one of " +
                       models::list_of(sme::policy_names)};
    switch (options.kind) {
    case Kind::channels: return run_channels(options);
    case Kind::clocked: return run_clocked(options);
    case Kind::buses: break;
    }
    return run_buses(options);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"rings", "A ring of nodes that add one to a token and hand it on"};
    program
        .choice("kind", options.kind, kind_names,
                "channels without a clock, buses under one, or clocked channels")
        .number("nodes", options.nodes, 1, 1'000'000, "of the ring")
        .number("tokens", options.tokens, 1, 1'000'000, "in channels; each bus has one")
        .number("trips", options.trips, 1, 1'000'000'000, "of a token; of buses, the cycles")
        .number("depth", options.depth, 0, 1'000'000, "of a channel")
        .choice("load", options.load, load_names, "what a node does beside handing on")
        .number("divisions", options.divisions, 0, 1'000'000'000, "of a node that divides")
        .number("nap", options.nap_us, 1, 1'000'000, "of a node that sleeps, in microseconds")
        .choice("place", options.place, place_names,
                "who runs a node: good and bad are those of the paper")
        .number("clock-threads", options.simulator_threads, 0, sme::max_threads,
                "of buses and clocked channels; 0: as many as are fastest")
        .choice("queue", options.simulator.queue, sme::queue_names, "of these threads")
        .text("policy", options.policy, "which of these threads runs which node");
    options.runners.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
