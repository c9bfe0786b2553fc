// SPDX-License-Identifier: Apache-2.0
// The ring with our processes.
#include <chrono>
#include <vector>

#include <sme/untimed.hpp>

#include "arguments.hpp"

namespace {

std::uint64_t value_of(std::uint32_t token) {
    return token;
}
void add_one(std::uint32_t& token) {
    ++token;
}

template <class T> class Element : public sme::KahnProcess {
public:
    Element(sme::ChannelIn<T> x, sme::ChannelOut<T> y) : x_{x}, y_{y} {}
    sme::KahnTask run() {
        while (auto token = co_await x_.receive()) {
            add_one(*token);
            co_await y_.send(std::move(*token));
        }
    }

private:
    sme::ChannelIn<T> x_;
    sme::ChannelOut<T> y_;
};

class Initiator : public sme::KahnProcess {
public:
    Initiator(Arguments arguments, sme::ChannelIn<std::uint32_t> x,
              sme::ChannelOut<std::uint32_t> y)
        : arguments_{arguments}, x_{x}, y_{y} {}
    sme::KahnTask run() {
        const auto start = std::chrono::steady_clock::now();
        for (std::uint32_t k = 1; k <= arguments_.tokens; ++k)
            co_await y_.send(k);
        const std::uint64_t turns = std::uint64_t{arguments_.trips} * arguments_.tokens;
        for (std::uint64_t k = 0; k < turns; ++k) {
            auto token = co_await x_.receive();
            co_await y_.send(*token + 1);
        }
        for (std::uint32_t k = 0; k < arguments_.tokens; ++k) {
            auto token = co_await x_.receive();
            sum += value_of(*token);
        }
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::uint64_t sum = 0;
    double seconds = 0;

private:
    Arguments arguments_;
    sme::ChannelIn<std::uint32_t> x_;
    sme::ChannelOut<std::uint32_t> y_;
};

/// Of the processes of a ring, number k: good placement is in blocks, bad one in turn.
template <class Handle> void place(const Arguments& a, const Handle& handle, std::uint32_t k) {
    if (a.placement == 1)
        handle.on(
            sme::Runner{static_cast<std::uint32_t>(std::uint64_t{k} * a.runners / a.processes)});
    else if (a.placement == 2)
        handle.on(sme::Runner{k % a.runners});
}

} // namespace

int main(int count, char** words) {
    const Arguments a{count, words};
    sme::KahnNetwork net{"ring"};
    auto token = net.channels<std::uint32_t>("token", a.processes, sme::Depth{a.depth});
    const auto first =
        net.add<Initiator>("initiator", a, sme::in(token[a.processes - 1]), sme::out(token[0]));
    place(a, first, 0);
    for (std::uint32_t k = 1; k < a.processes; ++k)
        place(a,
              net.add<Element<std::uint32_t>>(sme::indexed("element", k), sme::in(token[k - 1]),
                                              sme::out(token[k])),
              k);
    sme::UntimedOptions options;
    options.runners = a.runners;
    options.thread_per_process = a.runners == 0;
    sme::Untimed run{net, options};
    if (const sme::UntimedResult result = run.run(); !result.completed()) {
        std::fprintf(stderr, "%s\n", result.explanation.c_str());
        return 1;
    }
    return a.report(run.process(first).seconds, run.process(first).sum);
}
