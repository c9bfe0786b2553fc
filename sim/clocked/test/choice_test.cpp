// SPDX-License-Identifier: Apache-2.0
//
// Choice, time-outs and barriers in the engine, with cycles calculated by hand, and in any order.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "kahn/test/processes.hpp"
#include "sme/clocked.hpp"
#include "sme/compare.hpp"

using namespace sme;
using namespace sme::test;

namespace {

/// Repeatedly sends one number after a given number of cycles.
class Every : public KahnProcess {
public:
    Every(std::uint64_t cycles, int first, int count, ChannelOut<int> y)
        : cycles_{cycles}, first_{first}, count_{count}, y_{y} {}
    KahnTask run() {
        for (int k = 0; k < count_; ++k) {
            co_await sme::clock(cycles_);
            co_await y_.send(first_ + k);
        }
    }

private:
    std::uint64_t cycles_;
    int first_, count_;
    ChannelOut<int> y_;
};

/// Records messages from either input; -1 for a time-out.
class Either : public KahnProcess {
public:
    Either(ChoiceIn<int> a, ChoiceIn<int> b, std::uint64_t patience)
        : a_{a}, b_{b}, patience_{patience} {}
    KahnTask run() {
        for (;;) {
            std::optional<std::size_t> k;
            if (patience_ > 0)
                k = co_await alt(a_, b_, timeout(patience_));
            else
                k = co_await alt(a_, b_);
            if (!k)
                co_return;
            if (*k == 2)
                seen.push_back(-1);
            else if (auto v = co_await (*k == 0 ? a_ : b_).receive())
                seen.push_back(*v);
        }
    }
    std::vector<int> seen;

private:
    ChoiceIn<int> a_, b_;
    std::uint64_t patience_;
};

struct Two {
    Two(std::uint64_t every_a, std::uint64_t every_b, std::uint64_t patience) {
        auto a = kahn.channel<int>("a", Depth{4}), b = kahn.channel<int>("b", Depth{4});
        kahn.add<Every>("to_a", every_a, 0, 6, out(a));
        kahn.add<Every>("to_b", every_b, 100, 6, out(b));
        either.emplace(kahn.add<Either>("either", choice_in(a), choice_in(b), patience));
    }
    KahnNetwork kahn{"two"};
    std::optional<KahnHandle<Either>> either;
};

class Attendee : public KahnProcess {
public:
    Attendee(BarrierEnd barrier, std::uint64_t pause, int rounds)
        : barrier_{std::move(barrier)}, pause_{pause}, rounds_{rounds} {}
    KahnTask run() {
        for (; passed < rounds_; ++passed) {
            co_await sme::clock(pause_);
            co_await barrier_.wait(*this);
        }
    }
    int passed = 0;

private:
    BarrierEnd barrier_;
    std::uint64_t pause_;
    int rounds_;
};

} // namespace

TEST_CASE("a choice takes what was there when the cycle began, the first channel first") {
    // both send in cycles 2, 4, …; in 3, 5, … the choice sees both, and takes one from each per
    // cycle
    const Two two{2, 2, 0};
    for (const unsigned threads : {1U, 2U}) {
        Network network{"n"};
        const ClockedKahn clocked = add_clocked(network, two.kahn);
        Simulator simulator{network, {.threads = threads}};
        simulator.run(Cycles{1000});
        CHECK(clocked.process(simulator, *two.either).seen ==
              std::vector<int>{0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105});
    }
}

TEST_CASE("a time-out comes so many cycles after the choice was reached") {
    // 'to_a' sends in 10, 20, …, 60, seen in 11, 21, …; 'to_b' in 1000 and later. Reached in 0, the
    // choice times out in 4 and 8 and has a message in 11; reached in 11, in 15 and 19, and so on.
    const Two two{10, 1000, 4};
    Network network{"n"};
    const ClockedKahn clocked = add_clocked(network, two.kahn);
    Simulator simulator{network};
    simulator.run(Cycles{12});
    CHECK(clocked.process(simulator, *two.either).seen == std::vector<int>{-1, -1, 0});
    simulator.run(Cycles{10});
    CHECK(clocked.process(simulator, *two.either).seen == std::vector<int>{-1, -1, 0, -1, -1, 1});
    simulator.run(Cycles{100'000});
    CHECK(simulator.halted());
}

TEST_CASE("all at a barrier go on in the cycle after the last one came") {
    KahnNetwork kahn{"members"};
    const Barrier barrier = kahn.barrier("round");
    auto quick = kahn.add<Attendee>("quick", member(barrier), std::uint64_t{1}, 5);
    auto slow = kahn.add<Attendee>("slow", member(barrier), std::uint64_t{3},
                                   3); // resigns after three rounds
    Network network{"n"};
    const ClockedKahn clocked = add_clocked(network, kahn);
    Simulator simulator{network};
    const auto passed = [&](std::uint64_t cycles) {
        simulator.run(Cycles{cycles});
        return std::pair{clocked.process(simulator, quick).passed,
                         clocked.process(simulator, slow).passed};
    };
    // 'slow' pauses in 0 to 2 and comes in 3; both go on in 4, pause, and meet in 7, pass in 8
    CHECK(passed(4) == std::pair{0, 0}); // cycles 0 to 3
    CHECK(passed(1) == std::pair{1, 1});
    CHECK(passed(3) == std::pair{1, 1});
    CHECK(passed(1) == std::pair{2, 2});
    CHECK(passed(4) == std::pair{3, 3});    // in 12, and 'slow' has returned
    CHECK(simulator.run(Cycles{100}) == 4); // 'quick' pauses in 12, comes in 13, passes in 14; …
    CHECK(simulator.halted());
}

TEST_CASE("no order of processes, and no threads, change what is chosen") {
    for (const std::uint64_t patience : {0U, 3U}) {
        const Two two{3, 2, patience};
        KahnNetwork members{"members"};
        const Barrier barrier = members.barrier("round");
        for (std::uint64_t k = 0; k < 5; ++k)
            members.add<Attendee>(indexed("member", k), member(barrier), k + 1, 10);
        Network network{"n"};
        add_clocked(network, two.kahn, {.halts = false});
        add_clocked(network, members, {.halts = false});
        const auto difference = compare_orders(network, Cycles{120}, 8);
        CHECK_MESSAGE(!difference, (difference ? difference->text : ""));
    }
}

TEST_CASE("who waits for ever at a choice or a barrier is told for whom") {
    KahnNetwork kahn{"stuck"};
    auto a = kahn.channel<int>("a"), b = kahn.channel<int>("b");
    const Barrier barrier = kahn.barrier("gate");
    kahn.add<Either>("either", choice_in(a), choice_in(b), std::uint64_t{0});
    const auto never = [](ChannelOut<int> y, ChannelOut<int> z, ChannelIn<int> x) -> KahnTask {
        auto v = co_await x.receive();
        co_await y.send(0);
        co_await z.send(0);
    };
    auto c = kahn.channel<int>("c");
    kahn.add<Lambda<decltype(never), ChannelOut<int>, ChannelOut<int>, ChannelIn<int>>>(
        "never", never, out(a), out(b), in(c));
    class Gate : public KahnProcess {
    public:
        Gate(BarrierEnd barrier, ChannelOut<int> y) : barrier_{std::move(barrier)}, y_{y} {}
        KahnTask run() {
            const BarrierEnd another = barrier_; // no process waits at that place
            co_await barrier_.wait(*this);
        }

    private:
        BarrierEnd barrier_;
        ChannelOut<int> y_;
    };
    kahn.add<Gate>("gate_keeper", member(barrier), out(c));
    Network network{"n"};
    add_clocked(network, kahn);
    Simulator simulator{network};
    try {
        simulator.run(Cycles{100});
        FAIL("it does not end");
    } catch (const ModelFault& fault) {
        const std::string text = fault.what();
        CAPTURE(text);
        CHECK(text.find("'either' waits to choose: from 'a' (0 of 1), which 'never' writes, or 'b' "
                        "(0 of 1), which 'never' writes") != std::string::npos);
        CHECK(text.find("'gate_keeper' waits at the barrier 'gate', where 1 of 2 are") !=
              std::string::npos);
    }
}
