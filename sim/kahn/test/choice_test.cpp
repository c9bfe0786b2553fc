// SPDX-License-Identifier: Apache-2.0
//
// Constructs that are not deterministic: choice and shared ends.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/test/processes.hpp"

using namespace sme::test;

namespace {

/// Forwards every message from any of its inputs.
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

/// Records the input of each message, choosing plainly or fairly.
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
        for (int k = from_; k < to_; k += 2) { // two consecutive messages of one turn
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
