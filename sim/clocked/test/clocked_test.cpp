// SPDX-License-Identifier: Apache-2.0
//
// Kahn networks in the engine: cycles calculated by hand, and the same messages as without a clock.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kahn/test/processes.hpp"
#include "sme/clocked.hpp"
#include "sme/untimed.hpp"

using namespace sme;
using namespace sme::test;

namespace {

/// A pipeline of a counter, doublers and a collector.
struct Pipeline {
    Pipeline(std::uint32_t depth, int stages, int messages) {
        std::vector<Channel<int>> x{kahn.channel<int>("x", Depth{depth})};
        kahn.add<Count>("count", 0, messages, out(x.back()));
        for (int k = 0; k < stages; ++k) {
            x.push_back(
                kahn.channel<int>(indexed("d", static_cast<std::uint64_t>(k)), Depth{depth}));
            kahn.add<Doubler>(indexed("doubler", static_cast<std::uint64_t>(k)),
                              in(x[x.size() - 2]), out(x.back()));
        }
        sink.emplace(kahn.add<Collect>("collect", in(x.back())));
    }
    KahnNetwork kahn{"pipeline"};
    std::optional<KahnHandle<Collect>> sink;
};

/// Receives one message in every n + 1 cycles.
class Slow : public KahnProcess {
public:
    Slow(ChannelIn<int> x, std::uint64_t rest) : x_{x}, rest_{rest} {}
    KahnTask run() {
        while (auto v = co_await x_.receive()) {
            ++received;
            co_await sme::clock(rest_);
        }
    }
    int received = 0;

private:
    ChannelIn<int> x_;
    std::uint64_t rest_;
};

/// Receives from any number of channels and sends to any number, in an order that its own numbers
/// decide; its output depends on everything that it has received.
class Mixer : public KahnProcess {
public:
    Mixer(unsigned seed, std::vector<ChannelIn<std::uint64_t>> in,
          std::vector<ChannelOut<std::uint64_t>> out)
        : random_{seed}, in_{std::move(in)}, out_{std::move(out)}, open_(in_.size(), true) {}
    KahnTask run() {
        std::uint64_t sum = random_();
        for (int step = 0; step < 60; ++step) {
            const std::size_t way = random_() % (in_.size() + out_.size());
            if (random_() % 4 == 0)
                co_await sme::clock(random_() % 3);
            if (way >= in_.size())
                co_await out_[way - in_.size()].send(sum * 31 + static_cast<std::uint64_t>(step));
            else if (open_[way]) {
                if (auto v = co_await in_[way].receive())
                    sum = sum * 7 + *v;
                else
                    open_[way] = false;
            }
        }
        for (std::size_t way = 0; way < in_.size(); ++way) // others may still send
            while (open_[way]) {
                auto v = co_await in_[way].receive();
                open_[way] = v.has_value();
            }
    }

private:
    std::mt19937 random_;
    std::vector<ChannelIn<std::uint64_t>> in_;
    std::vector<ChannelOut<std::uint64_t>> out_;
    std::vector<bool> open_;
};

/// A random graph, possibly with rings.
KahnNetwork random_network(unsigned seed) {
    std::mt19937 random{seed};
    KahnNetwork kahn{"random"};
    const std::size_t processes = 2 + random() % 6;
    std::vector<std::vector<Channel<std::uint64_t>>> ins(processes), outs(processes);
    const std::size_t channels = processes + random() % 6;
    for (std::size_t c = 0; c < channels; ++c) {
        auto channel = kahn.channel<std::uint64_t>(
            indexed("c", c), Depth{static_cast<std::uint32_t>(1 + random() % 70)});
        std::size_t from = random() % processes, to = random() % processes;
        if (random() % 8 != 0 && from > to) // few rings
            std::swap(from, to);
        outs[from].push_back(channel);
        ins[to].push_back(channel);
    }
    for (std::size_t p = 0; p < processes; ++p)
        if (!ins[p].empty() || !outs[p].empty())
            kahn.add<Mixer>(indexed("p", p), static_cast<unsigned>(random()), in(ins[p]),
                            out(outs[p]));
    return kahn;
}

struct Ran {
    std::uint64_t cycles = 0;
    bool deadlock = false;
    std::vector<ChannelReport> channels;
};

Ran run_clocked(const KahnNetwork& kahn, unsigned threads = 1) {
    Network network{"clocked"};
    const ClockedKahn clocked = add_clocked(network, kahn, {.digests = true});
    Simulator simulator{network, {.threads = threads}};
    Ran result;
    try {
        result.cycles = simulator.run(Cycles{100'000});
    } catch (const ModelFault& fault) {
        result.deadlock = std::string{fault.what()}.find("[deadlock]") != std::string::npos;
        REQUIRE(result.deadlock);
    }
    result.channels = clocked.channels(simulator);
    return result;
}

} // namespace

TEST_CASE("cycles on paper: one message a cycle with two places, one in two with one") {
    // sent in cycles 0, 1, … 9 and received one later; the end is seen after the last, in 11
    struct Wanted {
        std::uint32_t depth;
        std::uint64_t cycles;
    };
    for (const Wanted& wanted : {Wanted{2, 12}, Wanted{64, 12}, Wanted{1, 21}, Wanted{0, 21}}) {
        const std::uint32_t depth = wanted.depth;
        CAPTURE(depth);
        const Pipeline pipeline{depth, 0, 10};
        Network network{"n"};
        const ClockedKahn clocked = add_clocked(network, pipeline.kahn);
        Simulator simulator{network};
        CHECK(simulator.run(Cycles{1000}) == wanted.cycles);
        CHECK(simulator.halted());
        std::vector<int> all(10);
        std::iota(all.begin(), all.end(), 0);
        CHECK(clocked.process(simulator, *pipeline.sink).values == all);
    }
    // each stage adds a cycle
    const Pipeline pipeline{2, 5, 10};
    CHECK(run_clocked(pipeline.kahn).cycles == 17);
}

TEST_CASE("the clock takes cycles, and wires show what happens") {
    KahnNetwork kahn{"slow"};
    auto x = kahn.channel<int>("x", Depth{4});
    kahn.add<Count>("count", 0, 20, out(x));
    auto slow = kahn.add<Slow>("slow", in(x), std::uint64_t{3});
    Network network{"n"};
    const ClockedKahn clocked = add_clocked(network, kahn);
    Simulator simulator{network};
    simulator.run(Cycles{10});
    // 0 to 4 are sent by cycle 4, the first is received in 1, the second in 4, the third in 7
    CHECK(clocked.process(simulator, slow).received == 3);
    CHECK(simulator.peek<std::uint32_t>("x") == 4);
    CHECK(simulator.peek<std::uint32_t>("count.state") == 2);
    CHECK(simulator.peek<std::uint32_t>("slow.state") == 3);
    simulator.run(Cycles{1000});
    CHECK(simulator.halted());
    CHECK(clocked.process(simulator, slow).received == 20);
    CHECK(simulator.cycle() == 1 + 20 * 3 + 1); // and one to see the end
}

TEST_CASE("random networks: the same messages as without a clock, on any number of threads") {
    unsigned stuck = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        const KahnNetwork kahn = random_network(seed);
        Untimed untimed{kahn, {.enlarge = false, .digests = true}};
        const UntimedResult wanted = untimed.run();
        const Ran one = run_clocked(kahn);
        const Ran two = run_clocked(kahn, 2);
        // a deadlock is also the same: where processes end does not depend on the schedule
        CHECK(one.deadlock == !wanted.completed());
        CHECK(one.deadlock == two.deadlock);
        CHECK(one.cycles == two.cycles);
        stuck += one.deadlock;
        for (std::size_t c = 0; c < wanted.channels.size(); ++c)
            for (const Ran* ran : {&one, &two}) {
                CHECK(ran->channels[c].digest == wanted.channels[c].digest);
                CHECK(ran->channels[c].sent == wanted.channels[c].sent);
                CHECK(ran->channels[c].received == wanted.channels[c].received);
            }
    }
    CHECK(stuck > 20);
    CHECK(stuck < 195);
}

TEST_CASE("large messages move, and those that nobody receives are destroyed") {
    static int alive = 0;
    struct Counted {
        Counted() { ++alive; }
        Counted(Counted&&) noexcept { ++alive; }
        ~Counted() { --alive; }
    };
    {
        KahnNetwork kahn{"moves"};
        auto x = kahn.channel<std::unique_ptr<Counted>>("x", Depth{8});
        const auto send = [](ChannelOut<std::unique_ptr<Counted>> y) -> KahnTask {
            for (int k = 0; k < 8; ++k)
                co_await y.send(std::make_unique<Counted>());
        };
        const auto take = [](ChannelIn<std::unique_ptr<Counted>> in) -> KahnTask {
            for (int k = 0; k < 3; ++k)
                co_await in.receive();
        };
        kahn.add<Lambda<decltype(send), ChannelOut<std::unique_ptr<Counted>>>>("send", send,
                                                                               out(x));
        kahn.add<Lambda<decltype(take), ChannelIn<std::unique_ptr<Counted>>>>("take", take, in(x));
        Network network{"n"};
        add_clocked(network, kahn);
        Simulator simulator{network};
        simulator.run(Cycles{100});
        CHECK(simulator.halted());
        CHECK(alive == 5);
    }
    CHECK(alive == 0);
}

TEST_CASE("a deadlock names the ring, the fill of its channels, and what helps") {
    KahnNetwork kahn{"stuck"};
    auto a = kahn.channel<int>("a", Depth{3});
    auto b = kahn.channel<int>("b", Depth{2});
    const auto both = [](ChannelOut<int> first, ChannelOut<int> second) -> KahnTask {
        for (int k = 0; k < 8; ++k)
            co_await first.send(k);
        co_await second.send(1);
    };
    const auto late = [](ChannelIn<int> first, ChannelIn<int> second) -> KahnTask {
        co_await second.receive();
        while (auto v = co_await first.receive()) {
        }
    };
    kahn.add<Lambda<decltype(both), ChannelOut<int>, ChannelOut<int>>>("both", both, out(a),
                                                                       out(b));
    kahn.add<Lambda<decltype(late), ChannelIn<int>, ChannelIn<int>>>("late", late, in(a), in(b));
    Network network{"n"};
    add_clocked(network, kahn);
    Simulator simulator{network};
    try {
        simulator.run(Cycles{1000});
        FAIL("it does not end");
    } catch (const ModelFault& fault) {
        const std::string text = fault.what();
        CAPTURE(text);
        CHECK(text.find("give 'a' a depth of more than 3") != std::string::npos);
        CHECK(text.find("'both' waits to send on 'a' (3 of 3), which 'late' reads") !=
              std::string::npos);
        CHECK(text.find("'late' waits to receive from 'b' (0 of 2), which 'both' writes") !=
              std::string::npos);
    }
    CHECK(simulator.cycle() < 10);
}

TEST_CASE("real time and processes that are made need a run without a clock") {
    const auto waits = [](RealTime) -> KahnTask { co_return; };
    const auto makes = [](Spawner) -> KahnTask { co_return; };
    KahnNetwork time{"time"}, made{"made"};
    time.add<Lambda<decltype(waits), RealTime>>("waits", waits, real_time());
    made.add<Lambda<decltype(makes), Spawner>>("makes", makes, spawner());
    const auto problem = [](const KahnNetwork& kahn) -> std::string {
        Network network{"n"};
        try {
            add_clocked(network, kahn);
            const Simulator simulator{network};
        } catch (const NetworkError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(problem(time).find("with a clock, write sme::clock(cycles)") != std::string::npos);
    CHECK(problem(made).find("which needs a run without a clock") != std::string::npos);
}

TEST_CASE("an exception is a fault with the process's name; a receive after the end is none") {
    for (const bool throws : {true, false}) {
        KahnNetwork kahn{"wrong"};
        auto x = kahn.channel<int>("x");
        const auto wrong = [throws](ChannelIn<int> in) -> KahnTask {
            while (auto v = co_await in.receive())
                if (throws)
                    throw std::runtime_error{"no such thing"};
            for (int k = 0; k < 3; ++k) {
                const auto v = co_await in.receive();
                CHECK(!v);
            }
        };
        kahn.add<Count>("count", 0, 3, out(x));
        kahn.add<Lambda<decltype(wrong), ChannelIn<int>>>("reader", wrong, in(x));
        Network network{"n"};
        add_clocked(network, kahn);
        Simulator simulator{network};
        if (!throws) {
            simulator.run(Cycles{100});
            CHECK(simulator.cycle() < 100);
            continue;
        }
        try {
            simulator.run(Cycles{100});
            FAIL("no fault");
        } catch (const ModelFault& fault) {
            const std::string text = fault.what();
            CAPTURE(text);
            CHECK(text.find("reader") != std::string::npos);
            CHECK(text.find("no such thing") != std::string::npos);
        }
    }
}

TEST_CASE("beside other processes the run goes on; two simulators share nothing") {
    struct Ticks : Process {
        explicit Ticks(Out<int> to) : y{to} {}
        void step() { y.write(++n); }
        Out<int> y;
        int n = 0;
    };
    const Pipeline pipeline{2, 3, 10};
    Network network{"n"};
    auto ticks = network.bus<int>("ticks");
    network.add<Ticks>("clock", out(ticks));
    const ClockedKahn clocked = add_clocked(network, pipeline.kahn, {.halts = false});
    Simulator one{network}, other{network};
    CHECK(one.run(Cycles{50}) == 50);
    CHECK_FALSE(one.halted());
    CHECK(one.peek(ticks) == 50);
    CHECK(clocked.process(one, *pipeline.sink).values.size() == 10);
    CHECK(clocked.process(other, *pipeline.sink).values.empty());
    other.run(Cycles{50});
    CHECK(clocked.process(other, *pipeline.sink).values ==
          clocked.process(one, *pipeline.sink).values);
    CHECK_THROWS_AS(one.save("/nonexistent/checkpoint"), CheckpointError);
    Network none{"none"};
    none.bus<int>("b");
    none.add<Ticks>("clock", out(none.find<int>("b")));
    Simulator without{none};
    CHECK_THROWS_AS(clocked.channels(without), NetworkError);
}
