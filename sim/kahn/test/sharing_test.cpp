// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/test/processes.hpp"

using namespace sme::test;

namespace {

constexpr int rounds = 20;

/// Computes for a while, and continues when the others compute, too.
class Meeting : public sme::KahnProcess {
public:
    Meeting(std::atomic<int>& here, int all, sme::ChannelIn<int> x, sme::ChannelOut<int> y)
        : here_{here}, all_{all}, x_{x}, y_{y} {}
    sme::KahnTask run() {
        while (auto round = co_await x_.receive()) {
            ++here_;
            const auto start = std::chrono::steady_clock::now();
            const auto time = [&] { return std::chrono::steady_clock::now() - start; };
            while (time() < std::chrono::microseconds{200} ||
                   (here_ < (*round + 1) * all_ && time() < std::chrono::seconds{1}))
                std::this_thread::yield(); // the others may have no processor of their own
            met += here_ >= (*round + 1) * all_ ? 1 : 0;
            co_await y_.send(*round);
            if (*round + 1 - met > rounds / 2)
                co_return; // no need to wait any longer
        }
    }
    int met = 0;

private:
    std::atomic<int>& here_;
    int all_;
    sme::ChannelIn<int> x_;
    sme::ChannelOut<int> y_;
};

/// Begins a round when all have answered in the previous one.
class Rounds : public sme::KahnProcess {
public:
    Rounds(std::vector<sme::ChannelOut<int>> y, std::vector<sme::ChannelIn<int>> x)
        : y_{std::move(y)}, x_{std::move(x)} {}
    sme::KahnTask run() {
        for (int round = 0; round < rounds; ++round) {
            for (const auto& worker : y_)
                co_await worker.send(round);
            for (const auto& worker : x_)
                if (auto answer = co_await worker.receive(); !answer)
                    co_return;
        }
    }

private:
    std::vector<sme::ChannelOut<int>> y_;
    std::vector<sme::ChannelIn<int>> x_;
};

} // namespace

TEST_CASE("processes that compute for long, woken by one, run on a runner each") {
    for (const int workers : {2, 3}) {
        CAPTURE(workers);
        std::atomic<int> here{0};
        sme::KahnNetwork net{"meetings"};
        const auto to = net.channels<int>("to", static_cast<std::uint64_t>(workers)).all();
        const auto from = net.channels<int>("from", static_cast<std::uint64_t>(workers)).all();
        net.add<Rounds>("rounds", out(to), in(from));
        std::vector<sme::KahnHandle<Meeting>> meetings;
        for (std::size_t k = 0; k < to.size(); ++k)
            meetings.push_back(net.add<Meeting>(sme::indexed("meeting", k), std::ref(here), workers,
                                                in(to[k]), out(from[k])));
        // A runner learns from measured times that a process computes for long. Beside other work
        // on the machine, it may take one for short, and the next one then waits for it.
        sme::Untimed run{net, {.runners = static_cast<unsigned>(workers)}};
        run.run();
        for (const auto& meeting : meetings)
            CHECK(run.process(meeting).met >= rounds / 2);
    }
}
