// SPDX-License-Identifier: Apache-2.0
//
// Processes that wait for real time.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "kahn/test/processes.hpp"
#include "sme/untimed.hpp"

using namespace sme;
using namespace sme::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

/// Sends a number after each pause.
class Slow : public KahnProcess {
public:
    Slow(RealTime time, std::vector<std::chrono::milliseconds> pauses, ChannelOut<int> y)
        : time_{time}, pauses_{std::move(pauses)}, y_{y} {}
    KahnTask run() {
        for (const auto pause : pauses_) {
            co_await time_.sleep(pause);
            co_await y_.send(static_cast<int>(pause.count()));
        }
    }

private:
    RealTime time_;
    std::vector<std::chrono::milliseconds> pauses_;
    ChannelOut<int> y_;
};

/// Counts how often nothing comes in time.
class Waits : public KahnProcess {
public:
    Waits(RealTime time, std::chrono::milliseconds patience, ChoiceIn<int> x, ChoiceIn<int> y)
        : time_{time}, patience_{patience}, x_{x}, y_{y} {}
    KahnTask run() {
        while (const auto k = co_await alt(x_, y_, time_.after(patience_))) {
            if (*k == 2) {
                ++lapses;
                continue;
            }
            if (auto v = co_await (*k == 0 ? x_ : y_).receive())
                got.push_back(*v);
        }
    }
    int lapses = 0;
    std::vector<int> got;

private:
    RealTime time_;
    std::chrono::milliseconds patience_;
    ChoiceIn<int> x_, y_;
};

} // namespace

TEST_CASE("sleeps last as long as they should, and keep an idle run alive") {
    KahnNetwork net{"sleeps"};
    const auto x = net.channel<int>("x");
    net.add<Slow>("slow", real_time(), std::vector{20ms, 0ms, 10ms}, out(x));
    auto collect = net.add<Collect>("collect", in(x));
    CHECK(net.why_not_deterministic() == "'slow' waits for real time");
    for (const UntimedOptions& options : all_ways()) {
        Untimed run{net, options};
        const auto begin = Clock::now();
        CHECK(run.run().completed());
        CHECK(Clock::now() - begin >= 30ms);
        CHECK(run.process(collect).values == std::vector{20, 0, 10});
    }
}

TEST_CASE("a guard of real time lapses when nothing comes, and only then") {
    for (const bool patient : {false, true}) {
        KahnNetwork net{"waits"};
        const auto x = net.channel<int>("x"), y = net.channel<int>("y");
        net.add<Slow>("slow", real_time(), std::vector{1ms, 40ms, 2ms, 1ms}, out(x));
        net.add<Count>("count", 0, 50, out(y));
        auto waits = net.add<Waits>("waits", real_time(), patient ? 10'000ms : 15ms, choice_in(x),
                                    choice_in(y));
        for (const UntimedOptions& options : all_ways()) {
            Untimed run{net, options};
            CHECK(run.run().completed());
            CHECK((run.process(waits).lapses >= 1) == !patient);
            CHECK(run.process(waits).got.size() == 54);
        }
    }
}

TEST_CASE("many short guards: none is lost, none comes twice") {
    KahnNetwork net{"many"};
    const auto x = net.channel<int>("x"), y = net.channel<int>("y");
    net.add<Slow>("slow", real_time(), std::vector(100, 1ms), out(x));
    net.add<Count>("count", 0, 3000, out(y));
    auto waits = net.add<Waits>("waits", real_time(), 1ms, choice_in(x), choice_in(y));
    class Ticks : public KahnProcess {
    public:
        explicit Ticks(RealTime time) : time_{time} {}
        KahnTask run() {
            for (int k = 0; k < 200; ++k)
                co_await time_.sleep(std::chrono::microseconds{20});
        }

    private:
        RealTime time_;
    };
    class Makes : public KahnProcess {
    public:
        explicit Makes(Spawner make) : make_{make} {}
        KahnTask run() {
            for (int k = 0; k < 5; ++k)
                make_.add<Ticks>("ticks", real_time());
            co_return;
        }

    private:
        Spawner make_;
    };
    net.add<Ticks>("ticks", real_time());
    const auto makes = net.add<Makes>("makes", spawner());
    makes.on(Runner::own()); // others run what it makes
    for (const UntimedOptions& options : all_ways()) {
        if (options.thread_per_process)
            continue; // it makes none
        Untimed run{net, options};
        CHECK(run.run().completed());
        CHECK(run.process(waits).got.size() == 3100);
    }
}

TEST_CASE(
    "deadlocks beside sleepers are found, and a network that must be deterministic has none") {
    class Eager : public KahnProcess {
    public:
        Eager(ChannelIn<int> x, ChannelOut<int> y) : x_{x}, y_{y} {}
        KahnTask run() {
            co_await y_.send(1);
            co_await y_.send(2);
            for (int k = 0; k < 2; ++k)
                const auto v = co_await x_.receive();
        }

    private:
        ChannelIn<int> x_;
        ChannelOut<int> y_;
    };
    KahnNetwork net{"stuck"};
    const auto a = net.channel<int>("a"), b = net.channel<int>("b"), c = net.channel<int>("c");
    net.add<Eager>("ping", in(a), out(b));
    net.add<Eager>("pong", in(b), out(a));
    net.add<Slow>("slow", real_time(), std::vector{10ms}, out(c));
    net.add<Collect>("collect", in(c));
    for (const UntimedOptions& options : all_ways())
        CHECK(Untimed{net, options}.run().completed()); // by a deeper channel
    CHECK(Untimed{net, {.runners = 2, .enlarge = false}}.run().explanation.find("'ping' waits") ==
          0);
    CHECK(problem_of([&] {
              Untimed{net, {.deterministic = true}};
          }).find("waits for real time") != std::string::npos);
}
