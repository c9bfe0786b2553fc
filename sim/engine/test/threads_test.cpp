// SPDX-License-Identifier: Apache-2.0
//
// Tests the parts of the parallel engine alone, and C++ networks on several threads.
#include <atomic>
#include <new>
#include <numeric>
#include <thread>

#include <doctest/doctest.h>

#include "engine/placement/plan.hpp"
#include "engine/placement/policies.hpp"
#include "engine/threads/cpus.hpp"
#include "engine/threads/queue.hpp"
#include "engine/threads/team.hpp"
#include "processes.hpp"
#include "runtime/observer.hpp"

using namespace sme;
using engine::Barrier;
using engine::Queue;
using engine::Task;
using engine::TaskLists;

namespace {

/// Runs job(number) on `count` threads.
template <class Job> void on_threads(unsigned count, Job job) {
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < count; ++k)
        threads.emplace_back([&job, k] { job(k); });
    for (std::thread& thread : threads)
        thread.join();
}

std::vector<Chunk> chunks_of(const std::vector<double>& costs) {
    std::vector<Chunk> chunks;
    for (std::size_t k = 0; k < costs.size(); ++k)
        chunks.push_back({0, 0, 0, k, 1, costs[k]});
    return chunks;
}

Workload workload(unsigned threads, const std::vector<Chunk>& chunks, std::uint64_t seed = 0) {
    return {threads, chunks, seed, [] { return std::vector<ChunkLink>{}; },
            [](const Placement&) { return 1.0; }};
}

double longest(const Placement& placement, const std::vector<Chunk>& chunks) {
    double most = 0;
    for (const auto& list : placement) {
        double sum = 0;
        for (const std::uint32_t k : list)
            sum += chunks[k].cost_ns;
        most = std::max(most, sum);
    }
    return most;
}

/// Places chunks by a function.
class By final : public Policy {
public:
    explicit By(std::function<Placement(const Workload&)> place) : place_{std::move(place)} {}
    Placement place(const Workload& work) override { return place_(work); }

private:
    std::function<Placement(const Workload&)> place_;
};

} // namespace

TEST_CASE("the limit of a cgroup as the kernel writes it") {
    CHECK(engine::cpus_of_limit("200000 100000") == 2);
    CHECK(engine::cpus_of_limit("50000 100000") == 0.5);
    CHECK(engine::cpus_of_limit("max 100000") == 0);
    CHECK(engine::cpus_of_limit("-1 100000") == 0);
    CHECK(engine::cpus_of_limit("") == 0);
    CHECK(engine::usable_cpus() >= 1);
}

TEST_CASE("a barrier lets nobody through early, and the last one is alone") {
    for (const Wait wait : {Wait::automatic, Wait::spin, Wait::block})
        for (const unsigned threads : {1u, 2u, 3u, 8u})
            for (const bool crowded : {false, true}) {
                if (!crowded && threads > engine::usable_cpus())
                    continue;
                CAPTURE(threads);
                constexpr unsigned meetings = 200;
                Barrier barrier{threads, wait, crowded};
                unsigned sum = 0, last = 0; // not atomic: the barrier orders all accesses
                std::vector<unsigned> own(threads, 0);
                bool fine = true;
                on_threads(threads, [&](unsigned k) {
                    for (unsigned n = 1; n <= meetings; ++n) {
                        own[k] = n;
                        barrier.arrive([&] {
                            ++last;
                            sum = std::accumulate(own.begin(), own.end(), 0u);
                            fine = fine && sum == n * threads;
                        });
                    }
                });
                CHECK(fine);
                CHECK(last == meetings);
            }
}

TEST_CASE("every task is taken exactly once between two rewinds, whatever the queue") {
    for (const unsigned threads : {1u, 2u, 3u, 8u}) {
        TaskLists lists(threads);
        std::uint64_t instances = 0;
        for (unsigned t = 0; t < threads; ++t)
            for (std::uint32_t k = 0; k < 40 * t + 1; ++k) { // lists of very different lengths
                lists[t].push_back({k, {instances, 1 + k % 7}, 1.0 + k % 5});
                instances += 1 + k % 7;
            }
        for (const QueueKind kind : all_queues) {
            const auto queue = engine::make_queue(kind, lists, 0);
            for (int round = 0; round < 5; ++round) {
                std::vector<std::atomic<unsigned>> taken(instances);
                on_threads(threads, [&](unsigned t) {
                    while (const Task* task = queue->take(t))
                        for (std::uint64_t k = 0; k < task->range.count; ++k)
                            ++taken[task->range.first + k];
                });
                CHECK(
                    std::all_of(taken.begin(), taken.end(), [](const auto& n) { return n == 1; }));
                queue->rewind();
            }
        }
    }
}

TEST_CASE("a thread without work steals; with fixed lists it does not") {
    TaskLists lists(2);
    for (std::uint32_t k = 0; k < 100; ++k)
        lists[0].push_back({0, {k, 1}, 1});
    const auto stealing = engine::stealing_queue(lists, 0);
    unsigned stolen = 0;
    while (stealing->take(1))
        ++stolen;
    CHECK(stolen == 50); // the half in the window
    const auto fixed = engine::fixed_queue(lists, 0);
    CHECK(fixed->take(1) == nullptr);
}

TEST_CASE("every policy places every chunk once, and the same for the same seed") {
    std::vector<double> costs;
    for (int k = 0; k < 333; ++k)
        costs.push_back(10 + k * 37 % 101);
    const std::vector<Chunk> chunks = chunks_of(costs);
    for (const char* name : {"round-robin", "blocks", "monte-carlo", "optimize"})
        for (const unsigned threads : {1u, 2u, 3u, 8u}) {
            CAPTURE(name);
            const Placement result = make_policy(name)->place(workload(threads, chunks, 5));
            CHECK(engine::placement_problem(result, chunks.size(), threads) == "");
            CHECK(result == make_policy(name)->place(workload(threads, chunks, 5)));
        }
    CHECK(make_policy("none") == nullptr);
}

TEST_CASE("optimize balances what blocks do not: the thesis's uneven load") {
    std::vector<double> costs(100, 10'000);
    std::fill(costs.begin() + 50, costs.end(), 2'500); // half of the nodes cost a quarter
    const std::vector<Chunk> chunks = chunks_of(costs);
    const double ideal = 50 * 12'500 / 2.0;
    CHECK(longest(make_policy("blocks")->place(workload(2, chunks)), chunks) == 1.6 * ideal);
    CHECK(longest(make_policy("optimize")->place(workload(2, chunks)), chunks) <= 1.03 * ideal);
}

TEST_CASE("optimize keeps neighbours of small cost together") {
    const std::vector<Chunk> chunks = chunks_of(std::vector<double>(1000, 5));
    const Placement result = make_policy("optimize")->place(workload(4, chunks));
    for (const auto& list : result) {
        CHECK(list.size() == 250);
        CHECK(list.back() - list.front() == 249);
    }
}

TEST_CASE("monte-carlo keeps the placement that took the least time") {
    const std::vector<Chunk> chunks = chunks_of(std::vector<double>(20, 5));
    std::vector<Placement> seen;
    Workload work = workload(2, chunks, 7);
    work.time = [&](const Placement& placement) {
        seen.push_back(placement);
        return seen.size() == 3 ? 1.0 : 2.0;
    };
    const Placement best = make_policy("monte-carlo")->place(work);
    REQUIRE(seen.size() >= 3);
    CHECK(best == seen[2]);
}

TEST_CASE("a policy that loses or repeats a chunk is refused before the first cycle") {
    const auto problem_of = [](std::function<Placement(const Workload&)> place) {
        Network network{"ring"};
        processes::add_ring(network, 100);
        SimulatorOptions options;
        options.threads = 2;
        options.policy = std::make_shared<By>(std::move(place));
        Simulator simulator{network, options};
        std::string message =
            processes::message_of<PlacementError>([&] { simulator.run(Cycles{10}); });
        CHECK(simulator.cycle() == 0);
        return message;
    };
    const std::string begin = "the placement that the policy gave cannot be used: ";
    CHECK(problem_of([](const Workload& work) { return Placement(work.threads); }) ==
          begin + "it places chunk 0 on no thread");
    CHECK(problem_of([](const Workload& work) {
              Placement result = make_policy("blocks")->place(work);
              result[0].push_back(result[1].front());
              return result;
          }).ends_with(" twice"));
    CHECK(problem_of([](const Workload& work) {
              Placement result = make_policy("blocks")->place(work);
              result[0].push_back(1'000'000);
              return result;
          }) == begin + "it places chunk 1000000, but there are only 7");
    CHECK(problem_of([](const Workload&) { return Placement(3); }) ==
          begin + "it has lists for 3 threads, but there are 2");
}

namespace {

/// Runs out of memory in a cycle, and records whether the run was still finished.
class Poor final : public Observer {
public:
    Poor(std::uint64_t cycle, std::atomic<bool>& closed) : cycle_{cycle}, closed_{closed} {}
    void open(const Observed&) override {}
    void step(unsigned, Range, const Frame& frame) override {
        if (frame.cycle == cycle_)
            throw std::bad_alloc{};
    }
    void close(std::uint64_t) override { closed_ = true; }

private:
    std::uint64_t cycle_;
    std::atomic<bool>& closed_;
};

} // namespace

TEST_CASE("a thread without memory ends the run in order, and nothing is finished") {
    for (const unsigned threads : {1U, 2U, 3U}) {
        CAPTURE(threads);
        std::atomic<bool> closed{false};
        {
            Network network{"ring"};
            processes::add_ring(network, 1000);
            SimulatorOptions options;
            options.threads = threads;
            Simulator simulator{network, options};
            simulator.attach(std::make_shared<Poor>(70, closed));
            CHECK_THROWS_AS(simulator.run(Cycles{1000}), std::bad_alloc);
            CHECK(simulator.cycle() == 70);
            CHECK(simulator.run(Cycles{10}) == 0);
        }
        CHECK_FALSE(closed);
    }
}

TEST_CASE("an absurd number of threads is refused") {
    Network network{"ring"};
    processes::add_ring(network, 10);
    SimulatorOptions options;
    options.threads = 1025;
    CHECK(processes::message_of<NetworkError>([&] {
              Simulator{network, options};
          }) == "a simulator has at most 1024 threads, but 1025 are asked for");
}

TEST_CASE("a ring counts its cycles on any number of threads, with any queue") {
    for (const unsigned threads : {0u, 1u, 2u, 3u, 8u})
        for (const QueueKind queue : all_queues) {
            Network network{"ring"};
            const auto token = processes::add_ring(network, 1000);
            SimulatorOptions options;
            options.threads = threads;
            options.queue = queue;
            Simulator simulator{network, options};
            for (int k = 0; k < 20; ++k)
                simulator.run(Cycles{50});
            CHECK(simulator.cycle() == 1000);
            for (const std::uint64_t k : {0u, 1u, 499u, 500u, 999u})
                CHECK(simulator.peek(token[k]) == 1000);
        }
}

namespace {

/// Throws in one cycle.
class Thrower : public Process {
public:
    Thrower(In<int> x, Out<int> y, int number) : x_{x}, y_{y}, number_{number} {}
    void step() {
        if (x_.read() == 30 && number_ % 100 == 7)
            throw std::runtime_error{"number " + std::to_string(number_)};
        y_.write(x_.read() + 1);
    }

private:
    In<int> x_;
    Out<int> y_;
    int number_;
};

} // namespace

TEST_CASE("faults on any thread end the run with the same report") {
    std::string first;
    for (const unsigned threads : {1u, 2u, 3u, 8u})
        for (const QueueKind queue : all_queues) {
            Network network{"faults"};
            const auto token = network.buses<int>("token", 1000);
            for (std::uint64_t k = 0; k < 1000; ++k)
                network.add<Thrower>(indexed("node", k), in(token[(k + 999) % 1000]), out(token[k]),
                                     static_cast<int>(k));
            SimulatorOptions options;
            options.threads = threads;
            options.queue = queue;
            Simulator simulator{network, options};
            const std::string report =
                processes::message_of<ModelFault>([&] { simulator.run(Cycles{100}); });
            CHECK(simulator.cycle() == 31);
            CHECK(simulator.peek(token[7]) == 0);  // a faulting instance writes nothing
            CHECK(simulator.peek(token[8]) == 31); // its neighbours do
            if (first.empty())
                first = report;
            CHECK(report == first);
        }
    CHECK(first.find("'node[7]': its step threw an exception: number 7") != std::string::npos);
    CHECK(first.find("'node[907]'") != std::string::npos);
}

TEST_CASE("simulators with threads of their own do not disturb each other") {
    Network one{"one"}, other{"other"};
    const auto a = processes::add_ring(one, 300);
    const auto b = processes::add_ring(other, 500);
    Simulator first{one, {.threads = 2}}, second{other, {.threads = 3}};
    std::thread beside{[&] { first.run(Cycles{500}); }};
    second.run(Cycles{700});
    beside.join();
    CHECK(first.peek(a[17]) == 500);
    CHECK(second.peek(b[17]) == 700);
}

namespace {

/// Its output follows its state within the cycle, so comb() and step() share an object.
class Counter : public Process {
public:
    Counter(In<int> x, Out<int> shown, Out<int> y) : x_{x}, shown_{shown}, y_{y} {}
    void comb_ports(CombinationalPorts& ports) const { ports.writes(shown_); }
    void comb() const { shown_.write(state_); }
    void step() {
        state_ = (state_ * 31 + x_.read()) % 1000;
        y_.write(state_);
    }

private:
    In<int> x_;
    Out<int> shown_, y_;
    int state_ = 1;
};

} // namespace

TEST_CASE("comb() and step() of one object never run at the same time") {
    const auto last_of = [](unsigned threads) {
        Network network{"counters"};
        const auto y = network.buses<int>("y", 400);
        const auto shown = network.buses<int>("shown", 400, {.delay = 0});
        for (std::uint64_t k = 0; k < 400; ++k)
            network.add<Counter>(indexed("counter", k), in(y[(k + 13) % 400]), out(shown[k]),
                                 out(y[k]));
        SimulatorOptions options;
        options.threads = threads;
        options.queue = QueueKind::stealing;
        options.serial_levels = false;
        Simulator simulator{network, options};
        simulator.run(Cycles{300});
        std::vector<int> seen;
        for (std::uint64_t k = 0; k < 400; ++k) {
            seen.push_back(simulator.peek(shown[k]));
            seen.push_back(simulator.peek(y[k]));
        }
        return seen;
    };
    const std::vector<int> expected = last_of(1);
    for (const unsigned threads : {2u, 4u, 8u})
        CHECK(last_of(threads) == expected);
}
