// SPDX-License-Identifier: Apache-2.0
//
// What leaves Kahn's determinism: choice, ends that are shared; and barriers, which do not.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/test/processes.hpp"

using namespace sme::test;

namespace {

/// Sends everything on that comes to any of its inputs.
class Merge : public sme::KahnProcess {
public:
    Merge(std::vector<sme::ChoiceIn<int>> x, sme::ChannelOut<int> y) : x_{std::move(x)}, y_{y} {}
    sme::KahnTask run() {
        while (const auto k = co_await sme::alt(x_))
            if (auto v = co_await x_[*k].receive())
                co_await y_.send(*v);
    }

private:
    std::vector<sme::ChoiceIn<int>> x_;
    sme::ChannelOut<int> y_;
};

/// Notes from which input it received, in turns.
class Turns : public sme::KahnProcess {
public:
    Turns(sme::ChoiceIn<int> a, sme::ChoiceIn<int> b, bool fair) : a_{a}, b_{b}, fair_{fair} {}
    sme::KahnTask run() {
        for (;;) {
            std::optional<std::size_t> k;
            if (fair_)
                k = co_await turns_(a_, b_);
            else
                k = co_await sme::alt(a_, b_);
            if (!k)
                co_return;
            if (auto v = co_await (*k == 0 ? a_ : b_).receive())
                from.push_back(static_cast<int>(*k));
        }
    }
    std::vector<int> from;

private:
    sme::ChoiceIn<int> a_, b_;
    bool fair_;
    sme::FairAlt turns_;
};

class SharedCount : public sme::KahnProcess {
public:
    SharedCount(int from, int to, sme::SharedOut<int> y) : from_{from}, to_{to}, y_{y} {}
    sme::KahnTask run() {
        for (int k = from_; k < to_; k += 2) { // two in a row, with none between
            auto turn = co_await y_.claim();
            co_await turn.send(k);
            co_await turn.send(k + 1);
        }
    }

private:
    int from_, to_;
    sme::SharedOut<int> y_;
};

class SharedCollect : public sme::KahnProcess {
public:
    explicit SharedCollect(sme::SharedIn<int> x) : x_{x} {}
    sme::KahnTask run() {
        while (auto v = co_await x_.receive())
            values.push_back(*v);
    }
    std::vector<int> values;

private:
    sme::SharedIn<int> x_;
};

/// Adds up at a barrier: nobody is a round ahead.
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

TEST_CASE("a choice takes every message once, in the order of its sender") {
    for (const sme::UntimedOptions& way : all_ways())
        for (const std::uint32_t depth : {0U, 1U, 3U}) {
            CAPTURE(depth);
            constexpr int senders = 5, each = 400;
            sme::KahnNetwork net{"merge"};
            auto x = net.channels<int>("x", senders, sme::Depth{depth});
            auto y = net.channel<int>("y", sme::Depth{2});
            std::vector<sme::Channel<int>> inputs;
            for (std::uint64_t k = 0; k < senders; ++k) {
                const int first = static_cast<int>(k) * each;
                net.add<Count>(sme::indexed("count", k), first, first + each, sme::out(x[k]));
                inputs.push_back(x[k]);
            }
            net.add<Merge>("merge", sme::choice_in(inputs), sme::out(y));
            auto collect = net.add<Collect>("collect", sme::in(y));
            CHECK(!net.deterministic());
            CHECK(net.why_not_deterministic() == "'merge' chooses among channels");
            sme::Untimed run{net, way};
            REQUIRE(run.run().completed());
            const std::vector<int>& got = run.process(collect).values;
            CHECK(got.size() == senders * each);
            std::vector<int> last(senders, -1);
            for (const int v : got) {
                CHECK(last[static_cast<std::size_t>(v / each)] < v % each);
                last[static_cast<std::size_t>(v / each)] = v % each;
            }
        }
}

TEST_CASE("by priority the first input is taken while it has messages; in turns, all are") {
    for (const bool fair : {false, true}) {
        sme::KahnNetwork net{"turns"};
        auto a = net.channel<int>("a", sme::Depth{10});
        auto b = net.channel<int>("b", sme::Depth{10});
        net.add<Count>("to_a", 0, 10, sme::out(a)); // both are full before 'turns' runs
        net.add<Count>("to_b", 0, 10, sme::out(b));
        auto turns = net.add<Turns>("turns", sme::choice_in(a), sme::choice_in(b), fair);
        sme::Untimed run{net};
        REQUIRE(run.run().completed());
        std::vector<int> wanted;
        for (int k = 0; k < 20; ++k)
            wanted.push_back(fair ? k % 2 : k / 10);
        CHECK(run.process(turns).from == wanted);
    }
}

TEST_CASE("ends that are shared are claimed in turns, and close with the last") {
    for (const sme::UntimedOptions& way : all_ways())
        for (const std::uint32_t depth : {0U, 1U, 4U}) {
            CAPTURE(depth);
            constexpr int writers = 4, readers = 3, each = 200;
            sme::KahnNetwork net{"shared"};
            auto c = net.channel<int>("c", sme::Depth{depth});
            for (std::uint64_t k = 0; k < writers; ++k) {
                const int first = static_cast<int>(k) * each;
                net.add<SharedCount>(sme::indexed("writer", k), first, first + each,
                                     sme::shared_out(c));
            }
            std::vector<sme::KahnHandle<SharedCollect>> handles;
            for (std::uint64_t k = 0; k < readers; ++k)
                handles.push_back(
                    net.add<SharedCollect>(sme::indexed("reader", k), sme::shared_in(c)));
            CHECK(!net.deterministic());
            sme::Untimed run{net, way};
            REQUIRE(run.run().completed());
            std::vector<int> all;
            for (const auto& handle : handles)
                all.insert(all.end(), run.process(handle).values.begin(),
                           run.process(handle).values.end());
            std::sort(all.begin(), all.end());
            std::vector<int> wanted(writers * each);
            std::iota(wanted.begin(), wanted.end(), 0);
            CHECK(all == wanted);
        }
}

TEST_CASE("messages of one turn stay together, and turns come in the order of claims") {
    for (const sme::UntimedOptions& way : all_ways()) {
        sme::KahnNetwork net{"turn"};
        auto c = net.channel<int>("c");
        for (std::uint64_t k = 0; k < 3; ++k) {
            const int first = static_cast<int>(k) * 100;
            net.add<SharedCount>(sme::indexed("writer", k), first, first + 100, sme::shared_out(c));
        }
        auto collect = net.add<Collect>("collect", sme::in(c));
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        const std::vector<int>& got = run.process(collect).values;
        REQUIRE(got.size() == 300);
        for (std::size_t k = 0; k < got.size(); k += 2)
            CHECK(got[k + 1] == got[k] + 1);
    }
}

TEST_CASE("nobody passes a barrier before all are there") {
    for (const sme::UntimedOptions& way : all_ways()) {
        constexpr int members = 7, rounds = 50;
        std::vector<std::atomic<int>> arrived(rounds);
        sme::KahnNetwork net{"rounds"};
        const sme::Barrier barrier = net.barrier("round");
        std::vector<sme::KahnHandle<Round>> handles;
        for (std::uint64_t k = 0; k < members; ++k) // the last returns earlier, which resigns
            handles.push_back(net.add<Round>(sme::indexed("member", k), sme::member(barrier),
                                             &arrived, k == 6 ? 20 : rounds));
        CHECK(net.deterministic());
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        for (const auto& handle : handles) {
            const std::vector<int>& seen = run.process(handle).seen;
            for (std::size_t k = 0; k < seen.size(); ++k)
                CHECK(seen[k] == (k < 20 ? 7 : 6));
        }
    }
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
        auto v = co_await x.receive(); // with the turn in hand
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

TEST_CASE("a time-out needs a clock, and an end is shared by all or by none") {
    sme::KahnNetwork net{"timeout"};
    auto a = net.channel<int>("a");
    class Impatient : public sme::KahnProcess {
    public:
        explicit Impatient(sme::ChoiceIn<int> x) : x_{x} {}
        sme::KahnTask run() { co_await sme::alt(x_, sme::timeout(5)); }

    private:
        sme::ChoiceIn<int> x_;
    };
    net.add<Impatient>("impatient", sme::choice_in(a));
    net.add<Count>("count", 0, 1, sme::out(a));
    CHECK_THROWS_WITH_AS(sme::Untimed{net}.run(),
                         doctest::Contains("needs a run with a clock: channel 'a'"),
                         sme::KahnFault);
    auto b = net.channel<int>("b");
    net.add<SharedCount>("shared", 0, 2, sme::shared_out(b));
    CHECK_THROWS_WITH_AS(net.add<Count>("alone", 0, 1, sme::out(b)),
                         doctest::Contains("a channel has one writer"), sme::NetworkError);
}
