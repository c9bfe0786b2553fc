// SPDX-License-Identifier: Apache-2.0
// A pipeline of many processes, each of which adds one: bytes per process with its channel.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

#include <sme/untimed.hpp>

namespace {

class Adder : public sme::KahnProcess {
public:
    Adder(sme::ChannelIn<std::uint64_t> x, sme::ChannelOut<std::uint64_t> y) : x_{x}, y_{y} {}
    sme::KahnTask run() {
        while (auto v = co_await x_.receive())
            co_await y_.send(*v + 1);
    }

private:
    sme::ChannelIn<std::uint64_t> x_;
    sme::ChannelOut<std::uint64_t> y_;
};

class Ends : public sme::KahnProcess {
public:
    Ends(sme::ChannelIn<std::uint64_t> x, sme::ChannelOut<std::uint64_t> y) : x_{x}, y_{y} {}
    sme::KahnTask run() {
        for (std::uint64_t k = 0; k < 10; ++k) {
            co_await y_.send(k);
            auto v = co_await x_.receive();
            sum += *v;
        }
    }
    std::uint64_t sum = 0;

private:
    sme::ChannelIn<std::uint64_t> x_;
    sme::ChannelOut<std::uint64_t> y_;
};

double resident_bytes() {
    std::ifstream file{"/proc/self/statm"};
    double total = 0;
    double resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

} // namespace

int main(int count, char** words) {
    const std::uint64_t processes = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1'000'000;
    const double empty = resident_bytes();
    sme::KahnNetwork net{"chain"};
    auto x = net.channels<std::uint64_t>("x", processes);
    const auto ends = net.add<Ends>("ends", sme::in(x[processes - 1]), sme::out(x[0]));
    for (std::uint64_t k = 1; k < processes; ++k)
        net.add<Adder>(sme::indexed("adder", k), sme::in(x[k - 1]), sme::out(x[k]));
    const double described = resident_bytes();
    sme::Untimed run{net};
    const auto start = std::chrono::steady_clock::now();
    const bool completed = run.run().completed();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double peak = resident_bytes();
    const bool right = completed && run.process(ends).sum == 45 + 10 * (processes - 1);
    std::printf("seconds %.3f described_bytes %.0f run_bytes %.0f check %d\n", seconds.count(),
                (described - empty) / static_cast<double>(processes),
                (peak - described) / static_cast<double>(processes), right ? 1 : 0);
    return right ? 0 : 1;
}
