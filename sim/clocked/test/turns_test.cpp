// SPDX-License-Identifier: Apache-2.0
//
// Ends that several processes share, and links to them, in the engine: in any order of processes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "kahn/test/processes.hpp"
#include "sme/clocked.hpp"
#include "sme/compare.hpp"

using namespace sme;
using namespace sme::test;

namespace {

/// Sends numbers in turns of two.
class Twos : public KahnProcess {
public:
    Twos(int first, int count, std::uint64_t pause, SharedOut<int> y)
        : first_{first}, count_{count}, pause_{pause}, y_{y} {}
    KahnTask run() {
        for (int k = 0; k < count_; k += 2) {
            co_await sme::clock(pause_);
            auto turn = co_await y_.claim();
            co_await turn.send(first_ + k);
            co_await turn.send(first_ + k + 1);
        }
    }

private:
    int first_, count_;
    std::uint64_t pause_;
    SharedOut<int> y_;
};

class Takes : public KahnProcess {
public:
    explicit Takes(SharedIn<int> x) : x_{x} {}
    KahnTask run() {
        while (auto v = co_await x_.receive())
            values.push_back(*v);
    }
    std::vector<int> values;

private:
    SharedIn<int> x_;
};

} // namespace

TEST_CASE("turns are given a cycle after, to who came first, and of equals to the first added") {
    KahnNetwork kahn{"turns"};
    auto c = kahn.channel<int>("c", Depth{4});
    kahn.add<Twos>("late", 100, 4, std::uint64_t{1}, shared_out(c)); // claims in 1
    kahn.add<Twos>("a", 0, 4, std::uint64_t{0}, shared_out(c));      // in 0, as 'b' does
    kahn.add<Twos>("b", 50, 4, std::uint64_t{0}, shared_out(c));
    auto collect = kahn.add<Collect>("collect", in(c));
    for (const unsigned threads : {1U, 2U}) {
        Network network{"n"};
        const ClockedKahn clocked = add_clocked(network, kahn);
        Simulator simulator{network, {.threads = threads}};
        simulator.run(Cycles{1000});
        CHECK(simulator.halted());
        // after its turn each claims again, after those that wait
        CHECK(clocked.process(simulator, collect).values ==
              std::vector<int>{0, 1, 50, 51, 100, 101, 2, 3, 52, 53, 102, 103});
    }
}

TEST_CASE("no order of processes changes who has a turn, and everything arrives once") {
    KahnNetwork kahn{"turns"};
    auto c = kahn.channel<int>("c", Depth{2});
    for (std::uint64_t k = 0; k < 4; ++k)
        kahn.add<Twos>(indexed("from", k), static_cast<int>(k) * 10, 10, k, shared_out(c));
    std::vector<KahnHandle<Takes>> takes;
    for (std::uint64_t k = 0; k < 3; ++k)
        takes.push_back(kahn.add<Takes>(indexed("to", k), shared_in(c)));
    Network network{"n"};
    const ClockedKahn clocked = add_clocked(network, kahn, {.halts = false});
    const auto difference = compare_orders(network, Cycles{300}, 12);
    CHECK_MESSAGE(!difference, (difference ? difference->text : ""));
    Simulator simulator{network};
    simulator.run(Cycles{300});
    std::vector<int> all;
    for (const KahnHandle<Takes>& each : takes)
        all.insert(all.end(), clocked.process(simulator, each).values.begin(),
                   clocked.process(simulator, each).values.end());
    std::sort(all.begin(), all.end());
    std::vector<int> wanted(40);
    std::iota(wanted.begin(), wanted.end(), 0);
    CHECK(all == wanted);
}

TEST_CASE("who waits for a turn that never comes is told who has it") {
    KahnNetwork kahn{"stuck"};
    auto a = kahn.channel<int>("a"), b = kahn.channel<int>("b");
    const auto holds = [](SharedOut<int> y, ChannelIn<int> x) -> KahnTask {
        auto turn = co_await y.claim();
        auto v = co_await x.receive();
    };
    const auto waits = [](SharedOut<int> y, ChannelOut<int> z) -> KahnTask {
        co_await y.send(1);
        co_await z.send(2);
    };
    kahn.add<Lambda<decltype(holds), SharedOut<int>, ChannelIn<int>>>("holds", holds, shared_out(a),
                                                                      in(b));
    kahn.add<Lambda<decltype(waits), SharedOut<int>, ChannelOut<int>>>("waits", waits,
                                                                       shared_out(a), out(b));
    kahn.add<Collect>("collect", in(a));
    Network network{"n"};
    add_clocked(network, kahn);
    Simulator simulator{network};
    CHECK_THROWS_WITH_AS(
        simulator.run(Cycles{100}),
        doctest::Contains("'waits' waits for its turn to send on 'a', which 'holds' has"),
        ModelFault);
}

namespace {

/// Sends a link to the end that it shares, and returns after a number of cycles.
class Lends : public KahnProcess {
public:
    Lends(std::uint64_t cycles, SharedOut<int> y, ChannelOut<Link<SharedOut<int>>> to)
        : cycles_{cycles}, y_{y}, to_{to} {}
    KahnTask run() {
        co_await to_.send(y_.link());
        co_await sme::clock(cycles_);
    }

private:
    std::uint64_t cycles_;
    SharedOut<int> y_;
    ChannelOut<Link<SharedOut<int>>> to_;
};

/// Waits, then sends two numbers in a turn that it has by a link.
class Borrows : public KahnProcess {
public:
    Borrows(std::uint64_t before, std::uint64_t between, ChannelIn<Link<SharedOut<int>>> from)
        : before_{before}, between_{between}, from_{from} {}
    KahnTask run() {
        const auto link = co_await from_.receive();
        co_await sme::clock(before_);
        auto turn = co_await link->of(*this).claim();
        co_await turn.send(1);
        co_await sme::clock(between_);
        co_await turn.send(2);
    }

private:
    std::uint64_t before_, between_;
    ChannelIn<Link<SharedOut<int>>> from_;
};

struct Lent {
    Lent(std::uint64_t cycles, std::uint64_t before, std::uint64_t between) {
        const auto c = kahn.channel<int>("c");
        const auto links = kahn.channel<Link<SharedOut<int>>>("links");
        kahn.add<Lends>("lends", cycles, shared_out(c), out(links));
        kahn.add<Borrows>("borrows", before, between, in(links));
        collect.emplace(kahn.add<Collect>("collect", in(c)));
    }
    KahnNetwork kahn{"lent"};
    std::optional<KahnHandle<Collect>> collect;
};

} // namespace

TEST_CASE("a turn by a link goes on when the last process of its end has returned") {
    for (std::uint64_t cycles = 0; cycles < 12; ++cycles) {
        Lent lent{cycles, 1, 8};
        Network network{"n"};
        const ClockedKahn clocked = add_clocked(network, lent.kahn);
        Simulator simulator{network};
        if (cycles < 3) { // the link is used too late
            CHECK_THROWS_WITH_AS(simulator.run(Cycles{100}),
                                 doctest::Contains("process 'borrows' waits by a link for its turn "
                                                   "to send, but all processes to which that end "
                                                   "is bound have returned: channel 'c'"),
                                 ModelFault);
            continue;
        }
        const auto difference = compare_orders(network, Cycles{60}, 12);
        CHECK_MESSAGE(!difference, (difference ? difference->text : ""));
        simulator.run(Cycles{100});
        CHECK(simulator.halted());
        CHECK(clocked.process(simulator, *lent.collect).values == std::vector<int>{1, 2});
    }
}

TEST_CASE("an end closes when its last processes return in one cycle, one of them in its turn") {
    KahnNetwork kahn{"together"};
    const auto c = kahn.channel<int>("c");
    const auto holds = [](SharedOut<int> y) -> KahnTask {
        auto turn = co_await y.claim(); // a cycle
        co_await turn.send(1);
        co_await sme::clock(4);
    };
    const auto waits = [](SharedOut<int>) -> KahnTask { co_await sme::clock(5); };
    kahn.add<Lambda<decltype(holds), SharedOut<int>>>("holds", holds, shared_out(c));
    kahn.add<Lambda<decltype(waits), SharedOut<int>>>("waits", waits, shared_out(c));
    const auto collect = kahn.add<Collect>("collect", in(c));
    Network network{"n"};
    const ClockedKahn clocked = add_clocked(network, kahn);
    const auto difference = compare_orders(network, Cycles{20}, 40);
    CHECK_MESSAGE(!difference, (difference ? difference->text : ""));
    Simulator simulator{network};
    simulator.run(Cycles{100});
    CHECK(simulator.halted());
    CHECK(clocked.process(simulator, collect).values == std::vector<int>{1});
}
