// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sme/untimed.hpp"

namespace sme::test {

/// What an action throws, or "none".
std::string problem_of(auto&& action) {
    try {
        action();
    } catch (const std::exception& problem) {
        return problem.what();
    }
    return "none";
}

/// Sends from, …, to − 1.
class Count : public KahnProcess {
public:
    Count(int from, int to, ChannelOut<int> y) : from_{from}, to_{to}, y_{y} {}
    KahnTask run() {
        for (int k = from_; k < to_; ++k)
            co_await y_.send(k);
    }

private:
    int from_;
    int to_;
    ChannelOut<int> y_;
};

class Doubler : public KahnProcess {
public:
    Doubler(ChannelIn<int> x, ChannelOut<int> y) : x_{x}, y_{y} {}
    KahnTask run() {
        while (auto v = co_await x_.receive())
            co_await y_.send(2 * *v);
    }

private:
    ChannelIn<int> x_;
    ChannelOut<int> y_;
};

class Collect : public KahnProcess {
public:
    explicit Collect(ChannelIn<int> x) : x_{x} {}
    KahnTask run() {
        while (auto v = co_await x_.receive())
            values.push_back(*v);
    }
    std::vector<int> values;

private:
    ChannelIn<int> x_;
};

/// A process whose body a test defines in place; the body may get the process first.
template <class F, class... Ends> class Lambda : public KahnProcess {
public:
    explicit Lambda(F what, Ends... ends) : what_{what}, ends_{std::move(ends)...} {}
    KahnTask run() {
        return std::apply(
            [&](auto&... ends) {
                if constexpr (std::is_invocable_v<F&, const KahnProcess&, Ends&...>)
                    return what_(*this, ends...);
                else
                    return what_(ends...);
            },
            ends_);
    }

private:
    F what_;
    std::tuple<Ends...> ends_;
};

/// Every way to run a network.
inline std::vector<UntimedOptions> all_ways() {
    return {{},
            {.runners = 1, .seed = 3},
            {.runners = 2},
            {.runners = 4, .seed = 7},
            {.thread_per_process = true}};
}

} // namespace sme::test
