// SPDX-License-Identifier: Apache-2.0
//
// Costs of instances, measured in disturbed cycles, and how policies use them.
#include <random>

#include <doctest/doctest.h>

#include "engine/cycle/orchestrator.hpp"
#include "engine/placement/costs.hpp"
#include "engine/threads/team.hpp"
#include "processes.hpp"
#include "runtime/clock.hpp"

namespace {

using namespace sme;
using engine::Costs;

/// One family of instances whose slots fill a cache line each: a chunk can be one instance.
struct Cores {
    explicit Cores(std::uint64_t count) {
        graph.processes.emplace_back();
        engine::Item item{};
        item.range = {0, count};
        schedule.items.push_back(item);
    }
    /// Records a measurement of `count` instances from `first` on.
    void learn(Costs& costs, std::uint64_t first, std::uint64_t count, double each_ns) const {
        const double ns = each_ns * static_cast<double>(count) + engine::clock_cost_ns();
        engine::CycleSampler::Event event{};
        event.end_ns = static_cast<std::uint64_t>(ns);
        event.range = {first, count};
        costs.learn(event);
    }
    Graph graph;
    engine::Schedule schedule;
};

std::vector<std::uint64_t> dealt(const std::string& policy, const Costs& costs, unsigned threads) {
    const engine::ChunkTable table = costs.chunks();
    const Workload work{threads, table.chunks, 1, [] { return std::vector<ChunkLink>{}; },
                        [](const Placement&) { return 0.0; }};
    std::vector<std::uint64_t> instances;
    for (const auto& list : make_policy(policy)->place(work)) {
        std::uint64_t& sum = instances.emplace_back();
        for (const std::uint32_t k : list)
            sum += table.chunks[k].count;
    }
    return instances;
}

} // namespace

TEST_CASE("equal cores are dealt in equal numbers, however much their measures were disturbed") {
    std::mt19937 random{7};
    const Cores cores{256};
    for (int seed = 0; seed < 20; ++seed) {
        Costs costs{cores.graph, cores.schedule};
        for (int cycle = 0; cycle < 4; ++cycle) {
            for (std::uint64_t k = 0; k < 256; k += 4) {
                const bool cold = cycle == 0 && k < 100; // the first ones found cold caches
                const bool stopped = random() % 60 == 0; // another program ran meanwhile
                cores.learn(costs, k, 4, 1000.0 * (cold ? 6 : 1) * (stopped ? 20'000 : 1));
            }
            costs.settle();
        }
        for (const char* policy : {"optimize", "blocks"}) {
            CAPTURE(policy);
            const std::vector<std::uint64_t> given = dealt(policy, costs, 2);
            CHECK(given[0] >= 120);
            CHECK(given[1] >= 120);
        }
    }
}

TEST_CASE("threads are given their processes after some cycles, however few run() asks for") {
    struct Noting final : Policy {
        Placement place(const Workload& work) override {
            ++asked;
            return make_policy("blocks")->place(work);
        }
        int asked = 0;
    };
    const auto policy = std::make_shared<Noting>();
    Network network{"ring"};
    processes::add_ring(network, 100);
    SimulatorOptions options;
    options.threads = 2;
    options.policy = policy;
    Simulator simulator{network, options};
    simulator.run(Cycles{1});
    const int before = policy->asked; // asked once to validate its answer
    simulator.run(Cycles{2});         // the first cycle finds cold caches and pages
    CHECK(policy->asked == before);
    simulator.run(Cycles{200});
    CHECK(policy->asked == before + 1);
}

TEST_CASE("blocks parts each kind of process by itself: light ones do not outvote heavy ones") {
    std::vector<Chunk> chunks;
    for (std::uint64_t k = 0; k < 256; ++k) // 256 cores
        chunks.push_back({0, 0, 0, k, 1, 1000});
    for (std::uint64_t k = 0; k < 100; ++k) // 6400 cells
        chunks.push_back({0, 1, 0, 64 * k, 64, 100});
    const Workload work{2, chunks, 1, [] { return std::vector<ChunkLink>{}; },
                        [](const Placement&) { return 0.0; }};
    std::vector<int> cores;
    for (const auto& list : make_policy("blocks")->place(work)) {
        int& sum = cores.emplace_back();
        for (const std::uint32_t k : list)
            sum += chunks[k].group == 0 ? 1 : 0;
    }
    CHECK(cores == std::vector<int>{128, 128});
}

TEST_CASE("the time of a call that runs several items is divided by their operations") {
    Graph graph;
    engine::Schedule schedule;
    for (const double operations : {30.0, 10.0}) {
        ProcessFamily& family = graph.processes.emplace_back();
        family.kind = std::make_shared<const GroupFactory>(
            [](const Build&) { return std::unique_ptr<Group>{}; }, operations);
        engine::Item item{};
        item.group = static_cast<std::uint32_t>(schedule.items.size());
        item.range = {0, 1};
        schedule.items.push_back(item);
    }
    Costs costs{graph, schedule};
    engine::CycleSampler::Event event{};
    event.end_item = 2;
    event.end_ns = static_cast<std::uint64_t>(400 + engine::clock_cost_ns());
    costs.learn(event);
    costs.settle();
    CHECK(costs.of_item(0) == doctest::Approx(300).epsilon(0.01));
    CHECK(costs.of_item(1) == doctest::Approx(100).epsilon(0.01));
}
