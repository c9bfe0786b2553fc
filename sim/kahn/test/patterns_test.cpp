// SPDX-License-Identifier: Apache-2.0
//
// Farms, services and MapReduce.
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/test/processes.hpp"
#include "sme/kahn_patterns.hpp"

using namespace sme::test;

namespace {

class Squarer : public sme::KahnProcess {
public:
    Squarer(sme::ChannelIn<int> x, sme::ChannelOut<int> y, int plus) : x_{x}, y_{y}, plus_{plus} {}
    sme::KahnTask run() {
        while (auto v = co_await x_.receive())
            co_await y_.send(*v * *v + plus_);
    }

private:
    sme::ChannelIn<int> x_;
    sme::ChannelOut<int> y_;
    int plus_;
};

/// Answers with the sum of all amounts so far.
class Account : public sme::KahnProcess {
public:
    explicit Account(sme::Server<int, int> server) : server_{server} {}
    sme::KahnTask run() {
        while (auto amount = co_await server_.receive()) {
            sum += *amount;
            co_await server_.reply(sum);
        }
    }
    int sum = 0;

private:
    sme::Server<int, int> server_;
};

/// Answers once.
class AnswersOnce : public sme::KahnProcess {
public:
    explicit AnswersOnce(sme::Server<int, int> server) : server_{server} {}
    sme::KahnTask run() {
        if (auto amount = co_await server_.receive())
            co_await server_.reply(-*amount);
    }

private:
    sme::Server<int, int> server_;
};

/// Pays into all accounts.
class Payer : public sme::KahnProcess {
public:
    explicit Payer(std::vector<sme::Client<int, int>> accounts) : accounts_{std::move(accounts)} {}
    sme::KahnTask run() {
        std::vector<int> sums(accounts_.size(), 0);
        for (int amount = 1; amount <= 10; ++amount)
            for (std::size_t k = 0; k < sums.size(); ++k) {
                auto sum = co_await accounts_[k].call(amount);
                grows = grows && *sum >= sums[k] + amount;
                sums[k] = *sum;
            }
    }
    bool grows = true;

private:
    std::vector<sme::Client<int, int>> accounts_;
};

/// Calls several times.
class Caller : public sme::KahnProcess {
public:
    explicit Caller(sme::Client<int, int> client) : client_{client} {}
    sme::KahnTask run() {
        first = co_await client_.call(5);
        second = co_await client_.call(6);
        for (int k = 0; k < 3; ++k)
            last = co_await client_.call(k);
    }
    std::optional<int> first, second, last = 0;

private:
    sme::Client<int, int> client_;
};

/// Maps each digit of a number to the number up to that digit.
struct Digits {
    using Input = int;
    using Key = int;
    using Value = int;
    using Output = int;
    template <class Emit> void map(int number, const Emit& emit) const {
        for (; number != 0; number /= 10)
            emit(number % 10, number);
    }
    std::size_t part(int digit) const { return static_cast<std::size_t>(digit); }
    template <class Emit>
    void reduce(int digit, std::span<const int> numbers, const Emit& emit) const {
        int all = digit;
        for (const int number : numbers)
            all = 1000 * all + number;
        emit(all);
    }
};

/// Receives one list from each channel in turn.
class Lists : public sme::KahnProcess {
public:
    explicit Lists(std::vector<sme::ChannelIn<std::vector<int>>> x) : x_{std::move(x)} {}
    sme::KahnTask run() {
        for (std::size_t k = 0;; k = (k + 1) % x_.size()) {
            auto list = co_await x_[k].receive();
            if (!list)
                co_return;
            all.push_back(std::move(*list));
        }
    }
    std::vector<std::vector<int>> all;

private:
    std::vector<sme::ChannelIn<std::vector<int>>> x_;
};

} // namespace

TEST_CASE("a MapReduce works in rounds, by keys, and for each in the order of the mappers") {
    for (const sme::UntimedOptions& way : all_ways()) {
        sme::KahnNetwork net{"digits"};
        const std::vector from{net.channel<int>("a"), net.channel<int>("b")};
        const std::vector to{net.channel<std::vector<int>>("even"),
                             net.channel<std::vector<int>>("odd")};
        net.add<Count>("count_a", 21, 23, sme::out(from[0])); // 21, 22
        net.add<Count>("count_b", 12, 14, sme::out(from[1])); // 12, 13
        sme::add_map_reduce<Digits>(net, "digits", from, to);
        const auto lists = net.add<Lists>("lists", sme::in(to));
        CHECK(net.deterministic());
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        // 21 and 12: the pairs (1, 21), (2, 2) and (2, 12), (1, 1); then 22 and 13
        CHECK(run.process(lists).all ==
              std::vector<std::vector<int>>{{2'002'012}, {1'021'001}, {2'022'002}, {1'001, 3'013}});
    }
}

TEST_CASE("a MapReduce without mappers or reducers is refused") {
    sme::KahnNetwork net{"digits"};
    const std::vector from{net.channel<int>("a")};
    CHECK_THROWS_WITH_AS(sme::add_map_reduce<Digits>(net, "digits", from, {}),
                         "'digits' has no reducers; give it a channel for each", sme::NetworkError);
}

TEST_CASE("a farm keeps the order of its input, whatever the number of workers") {
    std::vector<int> expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    for (int& each : expected)
        each = each * each + 7;
    for (const sme::UntimedOptions& way : all_ways())
        for (const std::uint64_t workers : {1U, 2U, 7U, 150U}) {
            sme::KahnNetwork net{"farm"};
            const auto from = net.channel<int>("from");
            const auto to = net.channel<int>("to");
            net.add<Count>("count", 0, 100, sme::out(from));
            sme::add_farm<Squarer>(net, "squarer", from, to, workers, sme::Depth{1}, 7);
            const auto collector = net.add<Collect>("collector", sme::in(to));
            CHECK(net.deterministic());
            sme::Untimed run{net, way};
            REQUIRE(run.run().completed());
            CHECK(run.process(collector).values == expected);
        }
}

TEST_CASE("a farm without workers is refused") {
    sme::KahnNetwork net{"farm"};
    const auto from = net.channel<int>("from");
    const auto to = net.channel<int>("to");
    CHECK_THROWS_WITH_AS(sme::add_farm<Squarer>(net, "squarer", from, to, 0, sme::Depth{1}, 7),
                         "'squarer' has no workers; give it 1 or more", sme::NetworkError);
}

TEST_CASE("a server answers each of its clients, and ends after the last") {
    for (const sme::UntimedOptions& way : all_ways()) {
        sme::KahnNetwork net{"bank"};
        const auto services = sme::add_services<int, int>(net, "account", 3);
        std::vector<sme::KahnHandle<Account>> accounts;
        for (std::uint64_t k = 0; k < 3; ++k)
            accounts.push_back(
                net.add<Account>(sme::indexed("account", k), sme::serve(services[k])));
        std::vector<sme::KahnHandle<Payer>> payers;
        for (std::uint64_t k = 0; k < 20; ++k)
            payers.push_back(net.add<Payer>(sme::indexed("payer", k), sme::client(services)));
        CHECK(net.why_not_deterministic().find("'payer[0]' calls a service") != std::string::npos);
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        for (const auto& account : accounts)
            CHECK(run.process(account).sum == 20 * 55);
        for (const auto& payer : payers)
            CHECK(run.process(payer).grows);
    }
}

TEST_CASE("who calls a server that has returned gets nothing") {
    for (const sme::UntimedOptions& way : all_ways()) {
        sme::KahnNetwork net{"once"};
        const auto service = sme::add_service<int, int>(net, "service");
        net.add<AnswersOnce>("server", sme::serve(service));
        const auto caller = net.add<Caller>("caller", sme::client(service));
        sme::Untimed run{net, way};
        REQUIRE(run.run().completed());
        CHECK(run.process(caller).first == -5);
        CHECK_FALSE(run.process(caller).second.has_value());
        CHECK_FALSE(run.process(caller).last.has_value());
    }
}
