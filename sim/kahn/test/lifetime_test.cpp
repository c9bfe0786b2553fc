// SPDX-License-Identifier: Apache-2.0
//
// The end of processes and runs: ends in messages, ends of a process that was not
// made, members of barriers.
#include <doctest/doctest.h>

#include <chrono>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kahn/test/processes.hpp"
#include "sme/untimed.hpp"

using namespace sme;
using namespace sme::test;

TEST_CASE("ends in messages that no process receives are gone with the run") {
    KahnNetwork net{"left"};
    const auto ends = net.channel<FreeOut<int>>("ends", Depth{2});
    const auto sends = [](const KahnProcess& self, Spawner& make,
                          ChannelOut<FreeOut<int>>& to) -> KahnTask {
        NewChannel<int> first = make.channel<int>("first");
        co_await to.send(std::move(first.out));
        // one in a channel that is made, whose own end is in a message
        NewChannel<FreeOut<int>> outer = make.channel<FreeOut<int>>("outer");
        const auto out = std::move(outer.out).taken_by(self);
        NewChannel<int> inner = make.channel<int>("inner");
        co_await out.send(std::move(inner.out));
    };
    const auto ignores = [](const KahnProcess&, ChannelIn<FreeOut<int>>&) -> KahnTask {
        co_return;
    };
    net.add<Lambda<decltype(sends), Spawner, ChannelOut<FreeOut<int>>>>("sends", sends, spawner(),
                                                                        out(ends));
    net.add<Lambda<decltype(ignores), ChannelIn<FreeOut<int>>>>("ignores", ignores, in(ends));
    for (const unsigned runners : {1U, 2U})
        CHECK(Untimed{net, {.runners = runners}}.run().completed());
}

TEST_CASE("a process that is not made gives its ends up") {
    KahnNetwork net{"full"};
    const auto makes = [](const KahnProcess& self, Spawner& make) -> KahnTask {
        NewChannel<int> made = make.channel<int>("made");
        const ChannelOut<int> y = std::move(made.out).taken_by(self);
        CHECK(problem_of([&] {
                  make.add<Collect>("collect", std::move(made.in));
              }).find("made_max allows no more") != std::string::npos);
        CHECK(problem_of([&] { std::move(made.in).taken_by(self); }) ==
              "this end of a channel was moved or taken before");
        CHECK(problem_of([&] {
                  make.channel<int>("deep", Depth{3'000'000'000});
              }).find("the depth of channel 'deep' is 3000000000") != std::string::npos);
        for (;;)
            co_await y.send(1); // no process reads
    };
    net.add<Lambda<decltype(makes), Spawner>>("makes", makes, spawner());
    const UntimedResult result = Untimed{net, {.made_max = 0}}.run();
    CHECK(result.explanation.find("'makes' waits to send on 'made' (1 of 1), whose other end no "
                                  "process has") == 0);
}

TEST_CASE("a process that is made does not choose in a deterministic run") {
    KahnNetwork net{"chooses"};
    const auto makes = [](const KahnProcess& self, Spawner& make) -> KahnTask {
        NewChannel<int> made = make.channel<int>("made");
        const ChoiceIn<int> x = std::move(made.in).choice_of(self);
        made.out = {};
        co_await alt(x);
    };
    net.add<Lambda<decltype(makes), Spawner>>("makes", makes, spawner());
    CHECK(Untimed{net}.run().completed());
    CHECK(problem_of([&] {
              Untimed{net, {.deterministic = true}}.run();
          })
              .find("channel 'made' among them, but the options of the run want a deterministic "
                    "network") != std::string::npos);
}

TEST_CASE("links are made while the network runs") {
    class Early : public KahnProcess {
    public:
        explicit Early(SharedOut<int> y) : link_{y.link()} {}
        KahnTask run() { co_return; }

    private:
        Link<SharedOut<int>> link_;
    };
    KahnNetwork net{"early"};
    const auto x = net.channel<int>("x");
    net.add<Early>("early", shared_out(x));
    net.add<Collect>("collect", in(x));
    CHECK(problem_of([&] { Untimed{net}; }).find("make it in 'run', not in the constructor") !=
          std::string::npos);
}

TEST_CASE("the end of a run within a process wakes nobody") {
    KahnNetwork inner{"inner"};
    const Barrier barrier = inner.barrier("barrier");
    const auto waits = [](const KahnProcess& self, BarrierEnd& place) -> KahnTask {
        co_await place.wait(self);
    };
    const auto throws = [](const KahnProcess&, BarrierEnd&) -> KahnTask {
        throw std::runtime_error{"out of order"};
        co_return;
    };
    inner.add<Lambda<decltype(waits), BarrierEnd>>("waits", waits, member(barrier));
    inner.add<Lambda<decltype(throws), BarrierEnd>>("throws", throws, member(barrier));

    KahnNetwork net{"outer"};
    const auto x = net.channel<int>("x");
    const auto runs = [&inner](const KahnProcess&, ChannelOut<int>& y) -> KahnTask {
        CHECK(problem_of([&] {
                  Untimed{inner, {.runners = 1}}.run();
              }).find("out of order") != std::string::npos);
        for (int k = 0; k < 3; ++k)
            co_await y.send(k);
    };
    net.add<Lambda<decltype(runs), ChannelOut<int>>>("runs", runs, out(x));
    const auto collect = net.add<Collect>("collect", in(x));
    Untimed run{net, {.runners = 1}};
    CHECK(run.run().completed());
    CHECK(run.process(collect).values == std::vector<int>{0, 1, 2});
    CHECK_THROWS_AS(Untimed{inner}.process(collect), NetworkError);
}

TEST_CASE("a process that blocks its own runner does not hold up others") {
    KahnNetwork net{"blocks"};
    const auto x = net.channel<int>("x");
    std::binary_semaphore acted{0};
    const auto blocks = [&](const KahnProcess&, ChannelOut<int>& y) -> KahnTask {
        std::this_thread::sleep_for(std::chrono::milliseconds{2}); // the other one waits
        co_await y.send(1);
        CHECK(acted.try_acquire_for(std::chrono::seconds{20}));
    };
    const auto acts = [&](const KahnProcess&, ChannelIn<int>& in) -> KahnTask {
        const auto v = co_await in.receive();
        acted.release();
    };
    net.add<Lambda<decltype(blocks), ChannelOut<int>>>("blocks", blocks, out(x)).on(Runner::own());
    net.add<Lambda<decltype(acts), ChannelIn<int>>>("acts", acts, in(x));
    for (int k = 0; k < 20; ++k)
        CHECK(Untimed{net, {.runners = 1}}.run().completed());
}
