// SPDX-License-Identifier: Apache-2.0
// The ring with our processes.
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include <sme/untimed.hpp>

#include "arguments.hpp"

namespace {

/// A token followed by more bytes, which move with it.
template <std::size_t bytes> struct Block {
    std::uint32_t value;
    std::array<std::byte, bytes - sizeof value> rest;
};
template <std::size_t bytes> using Owned = std::unique_ptr<Block<bytes>>;

std::uint64_t value_of(std::uint32_t token) {
    return token;
}
void add_one(std::uint32_t& token) {
    ++token;
}
template <std::size_t bytes> std::uint64_t value_of(const Block<bytes>& token) {
    return token.value;
}
template <std::size_t bytes> void add_one(Block<bytes>& token) {
    ++token.value;
}
template <std::size_t bytes> std::uint64_t value_of(const Owned<bytes>& token) {
    return token->value;
}
template <std::size_t bytes> void add_one(Owned<bytes>& token) {
    ++token->value;
}

template <class T> T token_of(std::uint32_t value) {
    if constexpr (std::is_integral_v<T>)
        return value;
    else if constexpr (std::is_trivial_v<T>) {
        T result{};
        result.value = value;
        return result;
    } else {
        auto result = std::make_unique<typename T::element_type>();
        result->value = value;
        return result;
    }
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

template <class T> class Initiator : public sme::KahnProcess {
public:
    Initiator(Arguments arguments, sme::ChannelIn<T> x, sme::ChannelOut<T> y)
        : arguments_{arguments}, x_{x}, y_{y} {}
    sme::KahnTask run() {
        const auto start = std::chrono::steady_clock::now();
        for (std::uint32_t k = 1; k <= arguments_.tokens; ++k)
            co_await y_.send(token_of<T>(k));
        const std::uint64_t turns = std::uint64_t{arguments_.trips} * arguments_.tokens;
        for (std::uint64_t k = 0; k < turns; ++k) {
            auto token = co_await x_.receive();
            add_one(*token);
            co_await y_.send(std::move(*token));
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
    sme::ChannelIn<T> x_;
    sme::ChannelOut<T> y_;
};

/// Places process k of the ring on a runner: good placement is in blocks, bad placement round
/// robin.
template <class Handle> void place(const Arguments& a, const Handle& handle, std::uint32_t k) {
    if (a.placement == 1)
        handle.on(
            sme::Runner{static_cast<std::uint32_t>(std::uint64_t{k} * a.runners / a.processes)});
    else if (a.placement == 2)
        handle.on(sme::Runner{k % a.runners});
}

template <class T> int ring(const Arguments& a) {
    sme::KahnNetwork net{"ring"};
    auto token = net.channels<T>("token", a.processes, sme::Depth{a.depth});
    const auto first =
        net.add<Initiator<T>>("initiator", a, sme::in(token[a.processes - 1]), sme::out(token[0]));
    place(a, first, 0);
    for (std::uint32_t k = 1; k < a.processes; ++k)
        place(a,
              net.add<Element<T>>(sme::indexed("element", k), sme::in(token[k - 1]),
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

template <std::size_t bytes> int ring_of(const Arguments& a) {
    return a.owned ? ring<Owned<bytes>>(a) : ring<Block<bytes>>(a);
}

} // namespace

int main(int count, char** words) {
    const Arguments a{count, words};
    switch (a.bytes) {
    case 4: return ring<std::uint32_t>(a);
    case 64: return ring_of<64>(a);
    case 256: return ring_of<256>(a);
    case 1024: return ring_of<1024>(a);
    case 4096: return ring_of<4096>(a);
    case 16384: return ring_of<16384>(a);
    case 65536: return ring_of<65536>(a);
    default: std::fprintf(stderr, "no ring has messages of %u bytes\n", a.bytes); return 2;
    }
}
