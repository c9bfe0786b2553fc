// SPDX-License-Identifier: Apache-2.0
//
// Barriers, and processes that wait for several others: at a choice, for a turn, at a barrier.
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/test/processes.hpp"

using namespace sme::test;

namespace {

/// Adds up at a barrier: no process is a round ahead.
class Round : public sme::KahnProcess {
public:
    Round(sme::BarrierEnd barrier, std::vector<std::atomic<int>>* arrived, int rounds)
        : barrier_{std::move(barrier)}, arrived_{arrived}, rounds_{rounds} {}
    sme::KahnTask run() {
        for (int k = 0; k < rounds_; ++k) {
            ++(*arrived_)[static_cast<std::size_t>(k)];
            co_await barrier_.wait(*this);
            seen.push_back((*arrived_)[static_cast<std::size_t>(k)].load());
        }
    }
    std::vector<int> seen;

private:
    sme::BarrierEnd barrier_;
    std::vector<std::atomic<int>>* arrived_;
    int rounds_;
};

} // namespace

TEST_CASE("nobody passes a barrier before all are there") {
    for (const sme::UntimedOptions& way : all_ways()) {
        constexpr int members = 40, rounds = 50; // more than one batch of the untimed run
        std::vector<std::atomic<int>> arrived(rounds);
        sme::KahnNetwork net{"rounds"};
        const sme::Barrier barrier = net.barrier("round");
        std::vector<sme::KahnHandle<Round>> handles;
        for (std::uint64_t k = 0; k < members; ++k) // the last returns earlier, which resigns
            handles.push_back(net.add<Round>(sme::indexed("member", k), sme::member(barrier),
                                             &arrived, k == 39 ? 20 : rounds));
        CHECK(net.deterministic());
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        for (const auto& handle : handles) {
            const std::vector<int>& seen = run.process(handle).seen;
            for (std::size_t k = 0; k < seen.size(); ++k)
                CHECK(seen[k] == (k < 20 ? 40 : 39));
        }
    }
}

TEST_CASE("a barrier of another network is refused, though its number is known") {
    sme::KahnNetwork net{"net"}, other{"other"};
    net.barrier("own");
    std::vector<std::atomic<int>> arrived(1);
    net.add<Round>("member", sme::member(other.barrier("foreign")), &arrived, 1);
    CHECK_THROWS_WITH_AS(sme::Untimed{net},
                         "a process of network 'net' is a member of a barrier of another network",
                         sme::NetworkError);
}

TEST_CASE("a barrier that is handed on enrols who gets it") {
    for (const sme::UntimedOptions& way : all_ways()) {
        std::atomic<int> late{0};
        sme::KahnNetwork net{"handed"};
        const sme::Barrier barrier = net.barrier("start");
        auto c = net.channel<sme::BarrierEnd>("c");
        class Giver : public sme::KahnProcess {
        public:
            Giver(sme::BarrierEnd barrier, sme::ChannelOut<sme::BarrierEnd> y,
                  std::atomic<int>* late)
                : barrier_{std::move(barrier)}, y_{y}, late_{late} {}
            sme::KahnTask run() {
                co_await y_.send(barrier_); // a copy: another place
                co_await barrier_.wait(*this);
                seen = late_->load();
            }
            int seen = 0;

        private:
            sme::BarrierEnd barrier_;
            sme::ChannelOut<sme::BarrierEnd> y_;
            std::atomic<int>* late_;
        };
        class Taker : public sme::KahnProcess {
        public:
            Taker(sme::ChannelIn<sme::BarrierEnd> x, std::atomic<int>* late) : x_{x}, late_{late} {}
            sme::KahnTask run() {
                auto end = co_await x_.receive();
                *late_ = 1;
                co_await end->wait(*this);
            }

        private:
            sme::ChannelIn<sme::BarrierEnd> x_;
            std::atomic<int>* late_;
        };
        auto giver = net.add<Giver>("giver", sme::member(barrier), sme::out(c), &late);
        net.add<Taker>("taker", sme::in(c), &late);
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        CHECK(run.process(giver).seen == 1);
    }
}

TEST_CASE("a knot of choices is resolved by a deeper channel, or explained") {
    // 'both' sends twice to the merge before it receives once: a channel of depth 1 is full
    const auto network = [] {
        sme::KahnNetwork net{"knot"};
        auto to = net.channel<int>("to"), back = net.channel<int>("back");
        auto other = net.channel<int>("other");
        const auto both = [](sme::ChannelOut<int> y, sme::ChannelIn<int> x) -> sme::KahnTask {
            for (int k = 0; k < 4; ++k)
                co_await y.send(k);
            y.close();
            while (auto v = co_await x.receive()) {
            }
        };
        const auto quiet = [](sme::ChannelOut<int> y, sme::ChannelIn<int> x) -> sme::KahnTask {
            while (auto v = co_await x.receive()) {
            }
            y.close();
        };
        auto also_back = net.channel<int>("also_back");
        net.add<Lambda<decltype(both), sme::ChannelOut<int>, sme::ChannelIn<int>>>(
            "both", both, sme::out(to), sme::in(back));
        net.add<Lambda<decltype(quiet), sme::ChannelOut<int>, sme::ChannelIn<int>>>(
            "quiet", quiet, sme::out(other), sme::in(also_back));
        class Split : public sme::KahnProcess {
        public:
            Split(sme::ChoiceIn<int> a, sme::ChoiceIn<int> b, sme::ChannelOut<int> y,
                  sme::ChannelOut<int> z)
                : a_{a}, b_{b}, y_{y}, z_{z} {}
            sme::KahnTask run() {
                while (const auto k = co_await sme::alt(a_, b_)) {
                    auto v = co_await (*k == 0 ? a_ : b_).receive();
                    if (v)
                        co_await y_.send(*v);
                    else if (*k == 0)
                        z_.close();
                }
            }

        private:
            sme::ChoiceIn<int> a_, b_;
            sme::ChannelOut<int> y_, z_;
        };
        net.add<Split>("split", sme::choice_in(to), sme::choice_in(other), sme::out(back),
                       sme::out(also_back));
        return net;
    };
    for (sme::UntimedOptions way : all_ways()) {
        sme::Untimed run{network(), way};
        const sme::UntimedResult result = run.run();
        CAPTURE(result.explanation);
        CHECK(result.completed());
        CHECK(result.channels[0].depth + result.channels[1].depth > 2);
        way.enlarge = false;
        sme::Untimed fixed{network(), way};
        const sme::UntimedResult stuck = fixed.run();
        CHECK(!stuck.completed());
        CHECK(stuck.explanation.find("'split' waits to send on 'back' (1 of 1)") !=
              std::string::npos);
        CHECK(stuck.explanation.find("is too small") != std::string::npos);
    }
}

TEST_CASE("who waits for ever at a choice, a turn or a barrier is told for whom") {
    sme::KahnNetwork net{"stuck"};
    auto a = net.channel<int>("a"), b = net.channel<int>("b"), c = net.channel<int>("c");
    const sme::Barrier barrier = net.barrier("gate");
    const auto hold = [](sme::SharedOut<int> y, sme::ChannelIn<int> x,
                         sme::ChannelOut<int> go) -> sme::KahnTask {
        auto turn = co_await y.claim();
        co_await go.send(0);
        auto v = co_await x.receive(); // while holding the turn
    };
    const auto wait = [](sme::SharedOut<int> y, sme::ChannelOut<int> z,
                         sme::ChannelIn<int> go) -> sme::KahnTask {
        auto v = co_await go.receive();
        co_await y.send(1);
        co_await z.send(2);
    };
    auto go = net.channel<int>("go");
    net.add<Lambda<decltype(hold), sme::SharedOut<int>, sme::ChannelIn<int>, sme::ChannelOut<int>>>(
        "hold", hold, sme::shared_out(a), sme::in(b), sme::out(go));
    net.add<Lambda<decltype(wait), sme::SharedOut<int>, sme::ChannelOut<int>, sme::ChannelIn<int>>>(
        "wait", wait, sme::shared_out(a), sme::out(c), sme::in(go));
    class Chooser : public sme::KahnProcess {
    public:
        Chooser(sme::ChoiceIn<int> x, sme::ChoiceIn<int> w, sme::ChannelOut<int> y)
            : x_{x}, w_{w}, y_{y} {}
        sme::KahnTask run() {
            const auto k = co_await sme::alt(x_, w_);
            co_await y_.send(static_cast<int>(k.value_or(2)));
        }

    private:
        sme::ChoiceIn<int> x_, w_;
        sme::ChannelOut<int> y_;
    };
    net.add<Chooser>("chooser", sme::choice_in(a), sme::choice_in(c), sme::out(b));
    std::vector<std::atomic<int>> arrived(1);
    net.add<Round>("gate_a", sme::member(barrier), &arrived, 1);
    class Absent : public sme::KahnProcess {
    public:
        Absent(sme::BarrierEnd barrier, sme::ChannelIn<int> x, sme::ChannelOut<int> y)
            : barrier_{std::move(barrier)}, x_{x}, y_{y} {}
        sme::KahnTask run() { auto v = co_await x_.receive(); }

    private:
        sme::BarrierEnd barrier_;
        sme::ChannelIn<int> x_;
        sme::ChannelOut<int> y_;
    };
    auto d = net.channel<int>("d");
    net.add<Absent>("absent", sme::member(barrier), sme::in(d), sme::out(d));
    for (const sme::UntimedOptions& way : all_ways()) {
        sme::Untimed run{net, way};
        const sme::UntimedResult result = run.run();
        CAPTURE(result.explanation);
        CHECK(!result.completed());
        const auto says = [&](const char* text) {
            return result.explanation.find(text) != std::string::npos;
        };
        CHECK(says("'chooser' waits to choose: from 'a' (0 of 1), which 'hold', 'wait' write, or "
                   "'c' (0 of 1), which 'wait' writes"));
        CHECK(says("'wait' waits for its turn to send on 'a', which 'hold' has"));
        CHECK(says("'gate_a' waits at the barrier 'gate', where 1 of 2 are"));
        CHECK(says("'absent' waits to receive from 'd' (0 of 1), which 'absent' writes"));
    }
}
