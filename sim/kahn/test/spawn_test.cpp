// SPDX-License-Identifier: Apache-2.0
//
// Processes and channels that are made while a network runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "kahn/test/processes.hpp"
#include "sme/kahn_patterns.hpp"
#include "sme/untimed.hpp"

using namespace sme;
using namespace sme::test;

namespace {

std::vector<UntimedOptions> ways() {
    std::vector<UntimedOptions> ways = all_ways();
    std::erase_if(ways, [](const UntimedOptions& each) { return each.thread_per_process; });
    return ways;
}

/// Keeps the first number, a prime, and makes a filter for the numbers that it does not divide.
class Sieve : public KahnProcess {
public:
    static inline std::atomic<int> alive{0};
    Sieve(Spawner make, ChannelIn<int> x, Link<SharedOut<int>> primes)
        : make_{make}, x_{x}, primes_{std::move(primes)} {
        ++alive;
    }
    ~Sieve() { --alive; }
    Sieve(const Sieve&) = delete;
    Sieve& operator=(const Sieve&) = delete;
    KahnTask run() {
        const auto prime = co_await x_.receive();
        if (!prime)
            co_return;
        const SharedOut<int> primes = primes_.of(*this);
        co_await primes.send(*prime);
        NewChannel<int> rest = make_.channel<int>("rest", Depth{4});
        const ChannelOut<int> y = std::move(rest.out).taken_by(*this);
        make_.add<Sieve>("sieve", spawner(), std::move(rest.in), primes_);
        while (const auto x = co_await x_.receive())
            if (*x % *prime != 0)
                co_await y.send(*x);
    }

private:
    Spawner make_;
    ChannelIn<int> x_;
    Link<SharedOut<int>> primes_;
};

/// The first of them, which is described.
class First : public KahnProcess {
public:
    First(Spawner make, SharedOut<int> primes) : make_{make}, primes_{primes} {}
    KahnTask run() {
        NewChannel<int> numbers = make_.channel<int>("numbers");
        const ChannelOut<int> y = std::move(numbers.out).taken_by(*this);
        make_.add<Sieve>("sieve", spawner(), std::move(numbers.in), primes_.link());
        for (int k = 2; k < 1000; ++k)
            co_await y.send(k);
    }

private:
    Spawner make_;
    SharedOut<int> primes_;
};

/// A sum by halves: each half is a process that sends its sum to the one that made it.
class Half : public KahnProcess {
public:
    Half(Spawner make, int first, int last, ChannelOut<int> sum)
        : make_{make}, first_{first}, last_{last}, sum_{sum} {}
    KahnTask run() {
        if (first_ == last_) {
            co_await sum_.send(first_);
            co_return;
        }
        const int middle = (first_ + last_) / 2;
        NewChannel<int> low = make_.channel<int>("low", Depth{0});
        NewChannel<int> high = make_.channel<int>("high", Depth{0});
        make_.add<Half>("low", spawner(), first_, middle, std::move(low.out));
        make_.add<Half>("high", spawner(), middle + 1, last_, std::move(high.out));
        const ChannelIn<int> a = std::move(low.in).taken_by(*this);
        const ChannelIn<int> b = std::move(high.in).taken_by(*this);
        const auto x = co_await a.receive();
        const auto y = co_await b.receive();
        co_await sum_.send(*x + *y);
    }

private:
    Spawner make_;
    int first_, last_;
    ChannelOut<int> sum_;
};

std::string explanation(const KahnNetwork& network) {
    return Untimed{network, {.runners = 2}}.run().explanation;
}

} // namespace

TEST_CASE("a sieve grows by a filter for each prime, which are gone in the end") {
    KahnNetwork net{"primes"};
    const auto primes = net.channel<int>("primes", Depth{3});
    net.add<First>("first", spawner(), shared_out(primes));
    auto collect = net.add<Collect>("collect", in(primes));
    for (const UntimedOptions& options : ways()) {
        Untimed run{net, options};
        const UntimedResult result = run.run();
        CHECK(result.completed());
        CHECK(result.made == 169); // 168 primes below 1000, and a filter without one
        std::vector<int> got = run.process(collect).values;
        std::sort(got.begin(), got.end());
        CHECK(got.size() == 168);
        CHECK(got.front() == 2);
        CHECK(got.back() == 997);
        CHECK(Sieve::alive == 0);
    }
    CHECK(Sieve::alive == 0);
}

TEST_CASE("a tree of processes, each of which waits for those that it makes") {
    KahnNetwork net{"tree"};
    const auto sum = net.channel<int>("sum");
    net.add<Half>("all", spawner(), 1, 5000, out(sum));
    auto collect = net.add<Collect>("collect", in(sum));
    CHECK(net.deterministic());
    for (const UntimedOptions& options : ways()) {
        Untimed run{net, options};
        const UntimedResult result = run.run();
        CHECK(result.completed());
        CHECK(result.made == 2 * 5000 - 2);
        CHECK(run.process(collect).values == std::vector<int>{5000 * 5001 / 2});
    }
}

TEST_CASE("the end of a channel goes from process to process, in messages") {
    KahnNetwork net{"ends"};
    const auto first = net.channel<FreeOut<int>>("first", Depth{0});
    const auto second = net.channel<FreeOut<int>>("second");
    const auto makes = [](const KahnProcess& self, Spawner make, ChannelOut<FreeOut<int>> to,
                          std::vector<int>* got) -> KahnTask {
        NewChannel<int> made = make.channel<int>("made");
        co_await to.send(std::move(made.out));
        const ChannelIn<int> x = std::move(made.in).taken_by(self);
        while (const auto v = co_await x.receive())
            got->push_back(*v);
    };
    const auto passes = [](ChannelIn<FreeOut<int>> x, ChannelOut<FreeOut<int>> y) -> KahnTask {
        auto end = co_await x.receive();
        co_await y.send(std::move(*end));
    };
    class User : public KahnProcess {
    public:
        explicit User(ChannelIn<FreeOut<int>> x) : x_{x} {}
        KahnTask run() {
            auto end = co_await x_.receive();
            const ChannelOut<int> y = std::move(*end).taken_by(*this);
            for (int k = 0; k < 5; ++k)
                co_await y.send(k);
        }

    private:
        ChannelIn<FreeOut<int>> x_;
    };
    std::vector<int> got;
    net.add<Lambda<decltype(makes), Spawner, ChannelOut<FreeOut<int>>, std::vector<int>*>>(
        "maker", makes, spawner(), out(first), &got);
    net.add<Lambda<decltype(passes), ChannelIn<FreeOut<int>>, ChannelOut<FreeOut<int>>>>(
        "passes", passes, in(first), out(second));
    net.add<User>("user", in(second));
    for (const UntimedOptions& options : ways()) {
        got.clear();
        CHECK(Untimed{net, options}.run().completed());
        CHECK(got == std::vector<int>{0, 1, 2, 3, 4});
    }
}

TEST_CASE("links are clients that are sent on; the server ends with the last of them") {
    KahnNetwork net{"links"};
    const auto doubler = add_service<int, int>(net, "doubler");
    using Doubler = ClientLink<int, int>;
    const auto links = net.channel<Doubler>("links", Depth{2});
    class Serves : public KahnProcess {
    public:
        explicit Serves(Server<int, int> server) : server_{server} {}
        KahnTask run() {
            while (auto x = co_await server_.receive())
                co_await server_.reply(2 * *x);
        }

    private:
        Server<int, int> server_;
    };
    const auto hands_on = [](Client<int, int> client, LinksTo<int, int> makes,
                             ChannelOut<Doubler> y) -> KahnTask {
        co_await y.send(client.link());
        co_await y.send(makes.link());
    };
    class Calls : public KahnProcess {
    public:
        explicit Calls(ChannelIn<Doubler> x) : x_{x} {}
        KahnTask run() {
            while (auto link = co_await x_.receive()) {
                Doubler copy = *link;
                auto answer = co_await copy.call(*this, 21);
                sum += *answer;
            }
        }
        int sum = 0;

    private:
        ChannelIn<Doubler> x_;
    };
    net.add<Serves>("serves", serve(doubler));
    net.add<Lambda<decltype(hands_on), Client<int, int>, LinksTo<int, int>, ChannelOut<Doubler>>>(
        "hands_on", hands_on, client(doubler), links_to(doubler), out(links));
    auto calls = net.add<Calls>("calls", in(links));
    for (const UntimedOptions& options : all_ways()) {
        Untimed run{net, options};
        CHECK(run.run().completed());
        CHECK(run.process(calls).sum == 84);
    }
}

TEST_CASE("ends that no process has, and links that are kept, are named") {
    class Drops : public KahnProcess {
    public:
        explicit Drops(Spawner make) : make_{make} {}
        KahnTask run() {
            NewChannel<int> made = make_.channel<int>("lost", Depth{1});
            const ChannelOut<int> y = std::move(made.out).taken_by(*this);
            made.in = {};
            co_await y.send(1);
            co_await y.send(2); // no process reads
        }

    private:
        Spawner make_;
    };
    KahnNetwork lost{"lost"};
    lost.add<Drops>("drops", spawner());
    CHECK(explanation(lost).find("'drops' waits to send on 'lost' (1 of 1), whose other end no "
                                 "process has") == 0);

    class Keeps : public KahnProcess {
    public:
        explicit Keeps(SharedOut<int> y) : y_{y} {}
        KahnTask run() {
            kept_ = y_.link();
            co_return;
        }

    private:
        SharedOut<int> y_;
        Link<SharedOut<int>> kept_;
    };
    KahnNetwork kept{"kept"};
    const auto x = kept.channel<int>("x");
    kept.add<Keeps>("keeps", shared_out(x));
    kept.add<Collect>("collect", in(x));
    CHECK(explanation(kept).find("'collect' waits to receive from 'x' (0 of 1), to which 1 link "
                                 "can still send") == 0);
}

TEST_CASE("mistakes with processes that are made have clear errors") {
    class Endless : public KahnProcess {
    public:
        explicit Endless(Spawner make) : make_{make} {}
        KahnTask run() {
            for (;;) {
                NewChannel<int> made = make_.channel<int>("never");
                make_.add<Collect>("waits", std::move(made.in));
                ends_.push_back(std::move(made.out));
            }
            co_return;
        }

    private:
        Spawner make_;
        std::vector<FreeOut<int>> ends_;
    };
    KahnNetwork endless{"endless"};
    endless.add<Endless>("endless", spawner());
    CHECK(
        problem_of([&] {
            Untimed{endless, {.made_max = 100}}.run();
        })
            .find("process 'endless' makes 'waits', but 100 processes that were made run already, "
                  "and UntimedOptions::made_max allows no more; they were made by 'endless' "
                  "(100)") != std::string::npos);
    CHECK(problem_of([&] {
              Untimed{endless, {.thread_per_process = true}};
          }).find("a process makes others with a Spawner, which needs a run without a clock") !=
          std::string::npos);

    const auto binds = [](Spawner make, Channel<int> channel) -> KahnTask {
        make.add<Collect>("collect", in(channel));
        co_return;
    };
    KahnNetwork wrong{"wrong"};
    const auto x = wrong.channel<int>("x");
    wrong.add<Count>("count", 0, 3, out(x));
    wrong.add<Collect>("collects", in(x));
    wrong.add<Lambda<decltype(binds), Spawner, Channel<int>>>("binds", binds, spawner(), x);
    CHECK(problem_of([&] { Untimed{wrong}.run(); }).find("cannot have ends of the description") !=
          std::string::npos);

    KahnNetwork chooses{"chooses"};
    const auto y = chooses.channel<int>("y");
    chooses.add<Count>("count", 0, 3, out(y));
    const auto chosen = [](ChoiceIn<int> x) -> KahnTask {
        while (const auto k = co_await alt(x))
            if (auto v = co_await x.receive())
                continue;
    };
    chooses.add<Lambda<decltype(chosen), ChoiceIn<int>>>("chooses", chosen, choice_in(y));
    CHECK(problem_of([&] {
              Untimed{chooses, {.deterministic = true}};
          })
              .find("network 'chooses' is not deterministic, as the options of its run want: "
                    "'chooses' chooses among channels") != std::string::npos);
}
