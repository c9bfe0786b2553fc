// SPDX-License-Identifier: Apache-2.0
//
// The choice of the number of threads while other programs may use the CPUs. Such programs are not
// reproducible, so here every thread but the first waits in each step.
#include <atomic>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "processes.hpp"

using namespace sme;

namespace {

/// Adds one, which takes about 2 us; much longer on any thread but the first.
class HeldUp : public Process {
public:
    HeldUp(In<int> x, Out<int> y, std::atomic<int>& waits) : x_{x}, y_{y}, waits_{waits} {}
    void step() {
        using namespace std::chrono;
        if (std::this_thread::get_id() != first_) {
            ++waits_;
            std::this_thread::sleep_for(milliseconds{2});
        }
        for (const auto end = steady_clock::now() + microseconds{2}; steady_clock::now() < end;) {
        }
        y_.write(x_.read() + 1);
    }

private:
    In<int> x_;
    Out<int> y_;
    std::atomic<int>& waits_;
    std::thread::id first_ = std::this_thread::get_id();
};

} // namespace

TEST_CASE("a thread that holds up the others is left out for a while, also over short runs") {
    constexpr int cycles = 400;
    std::atomic<int> waits{0};
    Network network{"pair"};
    auto token = network.buses<int>("token", 32); // two cache lines: one per thread
    for (std::uint64_t k = 0; k < 32; k += 16)
        network.add<HeldUp>(indexed("p", k / 16), in(token[16 - k]), out(token[k]),
                            std::ref(waits));
    SimulatorOptions options;
    options.threads = 2;
    Simulator simulator{network, options};
    for (int cycle = 0; cycle < cycles; ++cycle)
        simulator.run(Cycles{1});
    CHECK(waits > 0);
    CHECK(waits < cycles / 4);
    CHECK(simulator.peek(token[0]) == cycles);
    CHECK(simulator.peek(token[16]) == cycles);
}
