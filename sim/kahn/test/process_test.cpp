// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/test/processes.hpp"

using namespace sme::test;

namespace {

template <class T> class Once : public sme::KahnProcess {
public:
    Once(int messages, sme::ChannelOut<T> y) : messages_{messages}, y_{y} {}
    sme::KahnTask run() {
        for (int k = 0; k < messages_; ++k)
            co_await y_.send(T{});
    }

private:
    int messages_;
    sme::ChannelOut<T> y_;
};

template <class T> class Take : public sme::KahnProcess {
public:
    explicit Take(sme::ChannelIn<T> x, int receives = -1) : x_{x}, receives_{receives} {}
    sme::KahnTask run() {
        for (; receives_ != 0; --receives_)
            if (auto v = co_await x_.receive())
                ++taken;
            else if (receives_ < 0)
                break;
    }
    int taken = 0;

private:
    sme::ChannelIn<T> x_;
    int receives_;
};

/// Counts its copies and existing objects.
struct Counted {
    static std::atomic<int>& copies() {
        static std::atomic<int> count{0};
        return count;
    }
    static std::atomic<int>& alive() {
        static std::atomic<int> count{0};
        return count;
    }
    Counted() { ++alive(); }
    Counted(const Counted&) { ++copies(), ++alive(); }
    Counted(Counted&&) noexcept { ++alive(); }
    Counted& operator=(const Counted&) = delete;
    Counted& operator=(Counted&&) noexcept { return *this; }
    ~Counted() { --alive(); }
};

} // namespace

TEST_CASE("a pipeline doubles each value in order at any depth, however it is run") {
    for (const std::uint32_t depth : {0U, 1U, 2U, 3U, 8U}) {
        sme::KahnNetwork net{"pipeline"};
        auto raw = net.channel<int>("raw", sme::Depth{depth});
        auto doubled = net.channel<int>("doubled", sme::Depth{depth});
        net.add<Count>("count", 0, 100, sme::out(raw));
        net.add<Doubler>("doubler", sme::in(raw), sme::out(doubled));
        auto collect = net.add<Collect>("collect", sme::in(doubled));
        for (const sme::UntimedOptions& options : all_ways()) {
            sme::Untimed run{net, options};
            CHECK(run.run().completed());
            const std::vector<int>& values = run.process(collect).values;
            REQUIRE(values.size() == 100);
            for (int k = 0; k < 100; ++k)
                CHECK(values[static_cast<std::size_t>(k)] == 2 * k);
        }
    }
}

TEST_CASE("messages that cannot be copied move through channels") {
    sme::KahnNetwork net{"pointers"};
    auto boxes = net.channel<std::unique_ptr<int>>("boxes", sme::Depth{2});
    auto send = [](sme::ChannelOut<std::unique_ptr<int>> y) -> sme::KahnTask {
        for (int k = 0; k < 50; ++k)
            co_await y.send(std::make_unique<int>(k));
    };
    static std::atomic<int> sum; // NOLINT: read after the run
    sum = 0;
    auto add = [](sme::ChannelIn<std::unique_ptr<int>> x) -> sme::KahnTask {
        while (auto box = co_await x.receive())
            sum += **box;
    };
    net.add<Lambda<decltype(send), sme::ChannelOut<std::unique_ptr<int>>>>("send", send,
                                                                           sme::out(boxes));
    net.add<Lambda<decltype(add), sme::ChannelIn<std::unique_ptr<int>>>>("add", add,
                                                                         sme::in(boxes));
    for (const sme::UntimedOptions& options : all_ways()) {
        sum = 0;
        CHECK(sme::Untimed{net, options}.run().completed());
        CHECK(sum == 1225);
    }
}

TEST_CASE("a message is never copied, and what nobody receives is destroyed") {
    for (const std::uint32_t depth : {0U, 1U, 4U})
        for (const sme::UntimedOptions& options : all_ways()) {
            Counted::copies() = 0;
            {
                sme::KahnNetwork net{"counted"};
                auto full = net.channel<Counted>("full", sme::Depth{depth});
                auto left = net.channel<Counted>("left", sme::Depth{4});
                net.add<Once<Counted>>("once", 20, sme::out(full));
                auto take = net.add<Take<Counted>>("take", sme::in(full));
                net.add<Once<Counted>>("other", 3, sme::out(left));
                net.add<Take<Counted>>("never", sme::in(left), 1);
                sme::Untimed run{net, options};
                CHECK(run.run().completed());
                CHECK(run.process(take).taken == 20);
            }
            CHECK(Counted::copies() == 0);
            CHECK(Counted::alive() == 0);
        }
}

TEST_CASE("each receive after the end gives the same: nothing") {
    sme::KahnNetwork net{"ends"};
    auto x = net.channel<int>("x");
    const auto reads_on = [](sme::ChannelIn<int> in, int* got) -> sme::KahnTask {
        for (int k = 0; k < 9; ++k) {
            const auto v = co_await in.receive();
            CHECK(v.has_value() == (k < 3));
            *got += v ? 1 : 100;
        }
    };
    int got = 0;
    net.add<Count>("count", 0, 3, sme::out(x));
    net.add<Lambda<decltype(reads_on), sme::ChannelIn<int>, int*>>("reads_on", reads_on, sme::in(x),
                                                                   &got);
    for (const sme::UntimedOptions& options : all_ways()) {
        got = 0;
        CHECK(sme::Untimed{net, options}.run().completed());
        CHECK(got == 603);
    }
}

TEST_CASE("a send after the process closed the channel is a fault") {
    sme::KahnNetwork net{"closes"};
    auto x = net.channel<int>("x", sme::Depth{4});
    auto late = [](sme::ChannelOut<int> y) -> sme::KahnTask {
        co_await y.send(1);
        y.close();
        y.close();
        co_await y.send(2);
    };
    net.add<Lambda<decltype(late), sme::ChannelOut<int>>>("late", late, sme::out(x));
    net.add<Collect>("collect", sme::in(x));
    const std::string problem = problem_of([&] { sme::Untimed{net}.run(); });
    CHECK(problem.find("process 'late' sends after it has closed the channel: channel 'x'") !=
          std::string::npos);
}

TEST_CASE("an exception of a process ends the run and names the process") {
    sme::KahnNetwork net{"throws"};
    auto x = net.channel<Counted>("x", sme::Depth{1});
    auto y = net.channel<Counted>("y", sme::Depth{1});
    auto thrower = [](sme::ChannelIn<Counted> in, sme::ChannelOut<Counted> out) -> sme::KahnTask {
        co_await out.send(*co_await in.receive());
        throw std::runtime_error{"too hot"};
    };
    net.add<Once<Counted>>("source", 1000, sme::out(x));
    net.add<Lambda<decltype(thrower), sme::ChannelIn<Counted>, sme::ChannelOut<Counted>>>(
        "thrower", thrower, sme::in(x), sme::out(y));
    net.add<Take<Counted>>("take", sme::in(y));
    for (const sme::UntimedOptions& options : all_ways()) {
        CHECK(problem_of([&] {
                  sme::Untimed{net, options}.run();
              }) == "process 'thrower' threw: too hot");
        CHECK(Counted::alive() == 0);
    }
}

TEST_CASE("a coroutine that a process awaits may receive, return a value, and throw") {
    static const auto sum_of = [](sme::ChannelIn<int> x, int count) -> sme::KahnCoroutine<int> {
        int sum = 0;
        for (int k = 0; k < count; ++k) {
            auto v = co_await x.receive();
            if (!v)
                throw std::out_of_range{"short frame"};
            sum += *v;
        }
        co_return sum;
    };
    auto frames = [](sme::ChannelIn<int> x, sme::ChannelOut<int> y) -> sme::KahnTask {
        for (;;) {
            int sum = -1;
            try {
                sum = co_await sum_of(x, 3);
            } catch (const std::out_of_range&) {
            }
            co_await y.send(sum);
            co_await sme::clock(2);
            if (sum < 0)
                break;
        }
    };
    sme::KahnNetwork net{"frames"};
    auto x = net.channel<int>("x");
    auto y = net.channel<int>("y");
    net.add<Count>("count", 0, 7, sme::out(x));
    net.add<Lambda<decltype(frames), sme::ChannelIn<int>, sme::ChannelOut<int>>>(
        "frames", frames, sme::in(x), sme::out(y));
    auto collect = net.add<Collect>("collect", sme::in(y));
    for (const sme::UntimedOptions& options : all_ways()) {
        sme::Untimed run{net, options};
        CHECK(run.run().completed());
        CHECK(run.process(collect).values == std::vector<int>{3, 12, -1});
    }
}

TEST_CASE("wrong networks are refused with the names of both processes") {
    sme::KahnNetwork net{"wrong"};
    auto x = net.channel<int>("x");
    net.add<Count>("first", 0, 1, sme::out(x));
    CHECK(problem_of([&] {
              net.add<Count>("second", 0, 1, sme::out(x));
          }).find("'first' writes it already") != std::string::npos);
    CHECK(problem_of([&] { sme::Untimed{net}; }).find("no process reads channel 'x'") !=
          std::string::npos);
    net.add<Collect>("collect", sme::in(x));
    CHECK(problem_of([&] {
              net.add<Collect>("again", sme::in(x));
          }).find("a channel has one reader") != std::string::npos);
    CHECK(sme::Untimed{net}.run().completed()); // the refused process left no trace
    sme::KahnNetwork other{"other"};
    auto text = other.channel<std::string>("text");
    auto reads = [](sme::ChannelIn<std::string>) -> sme::KahnTask { co_return; };
    using Reads = Lambda<decltype(reads), sme::ChannelIn<std::string>>;
    CHECK(problem_of([&] {
              net.add<Reads>("foreign", reads, sme::in(text));
          }).find("a channel of another network") != std::string::npos);
    auto many = net.channels<int>("many", 3);
    const auto ints = other.channel<int>("ints");
    CHECK(problem_of([&] {
              net.add<Collect>("foreign", sme::in(ints)); // the second channel, as many[0] is
          }).find("a channel of another network") != std::string::npos);
    CHECK(problem_of([&] { many[3]; }) == "channel 3 of a family of 3");
    net.add<Doubler>("loop", sme::in(many[1]), sme::out(many[1]));
    CHECK(problem_of([&] {
              sme::Untimed{net};
          }).find("no process writes or reads channel 'many[2]'") != std::string::npos);
}

TEST_CASE("a run runs once, and a network as often as wanted") {
    sme::KahnNetwork net{"once"};
    auto x = net.channel<int>("x");
    net.add<Count>("count", 0, 1, sme::out(x));
    net.add<Collect>("collect", sme::in(x));
    sme::Untimed run{net};
    CHECK(run.run().completed());
    CHECK(problem_of([&] { run.run(); }) == "a run of network 'once' runs once; make another");
    CHECK(sme::Untimed{net}.run().completed());
    CHECK(sme::Untimed{sme::KahnNetwork{"empty"}}.run().completed());
}

TEST_CASE("processes run where they are told to, and one that blocks has a thread of its own") {
    sme::KahnNetwork net{"placed"};
    constexpr int stages = 12;
    auto x = net.channels<int>("x", stages + 1, sme::Depth{2});
    auto stage = [](sme::ChannelIn<int> in, sme::ChannelOut<int> out) -> sme::KahnTask {
        const auto home = std::this_thread::get_id();
        while (auto v = co_await in.receive())
            co_await out.send(std::this_thread::get_id() == home ? *v + 1 : -1000);
    };
    net.add<Count>("count", 0, 200, sme::out(x[0])).on(sme::Runner::own());
    for (std::uint32_t k = 0; k < stages; ++k)
        net.add<Lambda<decltype(stage), sme::ChannelIn<int>, sme::ChannelOut<int>>>(
               sme::indexed("stage", k), stage, sme::in(x[k]), sme::out(x[k + 1]))
            .on(k % 5 == 4 ? sme::Runner::own() : sme::Runner{k});
    auto collect = net.add<Collect>("collect", sme::in(x[stages]));
    collect.high_priority();
    for (const unsigned runners : {1U, 2U, 3U}) {
        sme::Untimed run{net, {.runners = runners}};
        CHECK(run.run().completed());
        const std::vector<int>& values = run.process(collect).values;
        REQUIRE(values.size() == 200);
        for (int k = 0; k < 200; ++k)
            CHECK(values[static_cast<std::size_t>(k)] == k + stages);
    }
}
