// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <sme/clocked.hpp>

#include "load.hpp"

namespace models {

/// Adds one to its neighbour's token in each clock cycle.
class Node : public sme::Process {
public:
    Node(sme::In<std::uint64_t> x, sme::Out<std::uint64_t> y, Work work)
        : x_{x}, y_{y}, work_{work} {}
    void step() {
        work_();
        y_.write(x_.read() + 1);
    }

private:
    sme::In<std::uint64_t> x_;
    sme::Out<std::uint64_t> y_;
    Work work_;
};

/// Adds one to each token it receives, and passes it on.
class Element : public sme::KahnProcess {
public:
    Element(sme::ChannelIn<std::uint64_t> x, sme::ChannelOut<std::uint64_t> y, Work work)
        : x_{x}, y_{y}, work_{work} {}
    sme::KahnTask run() {
        while (auto token = co_await x_.receive()) {
            work_();
            co_await y_.send(*token + 1);
        }
    }

private:
    sme::ChannelIn<std::uint64_t> x_;
    sme::ChannelOut<std::uint64_t> y_;
    Work work_;
};

/// The initiator: it sends tokens 1, 2, 3, ..., passes each on for `trips` trips, and then keeps
/// it.
class Initiator : public sme::KahnProcess {
public:
    Initiator(std::uint64_t tokens, std::uint64_t trips, sme::ChannelIn<std::uint64_t> x,
              sme::ChannelOut<std::uint64_t> y, Work work)
        : tokens_{tokens}, trips_{trips}, x_{x}, y_{y}, work_{work} {}
    sme::KahnTask run() {
        for (std::uint64_t k = 1; k <= tokens_; ++k)
            co_await y_.send(k);
        for (std::uint64_t k = 0; k < trips_ * tokens_; ++k) {
            auto token = co_await x_.receive();
            work_();
            co_await y_.send(*token + 1);
        }
        for (std::uint64_t k = 0; k < tokens_; ++k) {
            auto token = co_await x_.receive();
            sum += *token;
        }
    }
    std::uint64_t sum = 0; ///< of the tokens, at the end

private:
    std::uint64_t tokens_;
    std::uint64_t trips_;
    sme::ChannelIn<std::uint64_t> x_;
    sme::ChannelOut<std::uint64_t> y_;
    Work work_;
};

} // namespace models
