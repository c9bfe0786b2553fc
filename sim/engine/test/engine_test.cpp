// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "processes.hpp"

using namespace sme;
using namespace processes;

static_assert(sizeof(In<bool>) == 4 && sizeof(Out<bool>) == 4);
static_assert(sizeof(In<std::uint64_t>) == 4 && sizeof(Out<std::array<int, 9>>) == 4);
static_assert(sizeof(Node) == 8);

namespace {

/// Runs a ring inside its step, between a read and a write of its own ports.
class Nest : public Process {
public:
    Nest(In<int> x, Out<int> y, int depth) : x_{x}, y_{y}, network_{"inner"} {
        const auto bus = network_.bus<int>("bus", {.initial = 100});
        if (depth > 0)
            network_.add<Nest>("nest", in(bus), out(bus), depth - 1);
        else
            network_.add<Node>("node", in(bus), out(bus));
        simulator_ = std::make_unique<Simulator>(network_);
        bus_ = bus;
    }
    void step() {
        const int before = x_.read();
        simulator_->run(Cycles{2});
        const bool undisturbed = cycle() == ran_++ && x_.read() == before;
        y_.write(undisturbed ? simulator_->peek(*bus_) : -1);
    }

private:
    In<int> x_;
    Out<int> y_;
    Network network_;
    std::optional<Bus<int>> bus_;
    std::unique_ptr<Simulator> simulator_;
    std::uint64_t ran_ = 0;
};

} // namespace

TEST_CASE("a ring of any number of nodes shows the number of cycles on every bus") {
    for (const std::uint64_t n : {1u, 2u, 3u, 17u, 1000u}) {
        CAPTURE(n);
        Network ring{"ring"};
        const auto token = ring.buses<int>("token", n);
        for (std::uint64_t k = 0; k < n; ++k)
            ring.add<Node>(indexed("node", k), in(token[(k + n - 1) % n]), out(token[k]));
        Simulator simulator{ring};
        simulator.run(Cycles{25});
        for (std::uint64_t k = 0; k < n; ++k)
            CHECK(simulator.peek(token[k]) == 25);
    }
}

TEST_CASE("simulators of one network have processes and buses of their own") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    network.add<Node>("node", in(bus), out(bus));
    const auto probe = network.add<Probe<int>>("probe", in(bus));
    Simulator a{network};
    Simulator b{network};
    a.run(Cycles{3});
    b.run(Cycles{1});
    a.run(Cycles{2});
    CHECK(a.peek(bus) == 5);
    CHECK(b.peek(bus) == 1);
    CHECK(a.process(probe).seen == std::vector<int>{0, 1, 2, 3, 4});
    CHECK(b.process(probe).seen == std::vector<int>{0});
    CHECK(&a.process(probe) != &b.process(probe));
}

TEST_CASE("a simulator runs on where it is moved to, as its network may be") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    network.add<Node>("node", in(bus), out(bus));
    Simulator first{network};
    first.run(Cycles{3});
    const Network moved = std::move(network);
    Simulator second = std::move(first);
    second.run(Cycles{2});
    CHECK(second.peek(bus) == 5);
    second = Simulator{moved};
    CHECK(second.peek(bus) == 0);
    second.run(Cycles{1});
    CHECK(second.peek(bus) == 1);
}

TEST_CASE("a simulator runs inside a process of another, and in a process of that one") {
    Network network{"outer"};
    const auto bus = network.bus<int>("bus");
    network.add<Nest>("nest", in(bus), out(bus), 1);
    const auto count = network.bus<int>("count");
    network.add<Node>("node", in(count), out(count));
    Simulator simulator{network};
    simulator.run(Cycles{3});
    // each outer cycle is 2 cycles of the middle ring, which are 4 of the innermost one: its count
    // from 100 is 100 + 2·5 after the fifth middle cycle, which the middle ring shows after six
    CHECK(simulator.peek(bus) == 100 + 2 * 6);
    CHECK(simulator.peek(count) == 3);
}

TEST_CASE("a fault in an inner simulator can be caught by the process that runs it") {
    class Catcher : public Process {
    public:
        Catcher(Out<int> y) : y_{y} {}
        void step() {
            Network inner{"inner"};
            const auto bus = inner.bus<int>("bus", {.unwritten = Unwritten::error});
            inner.add<Node>("node", in(bus), out(bus));
            Simulator simulator{inner};
            try {
                simulator.step();
            } catch (const ModelFault&) {
                y_.write(static_cast<int>(cycle()) + 7);
            }
        }

    private:
        Out<int> y_;
    };
    Network network{"outer"};
    const auto bus = network.bus<int>("bus");
    network.add<Catcher>("catcher", out(bus));
    Simulator simulator{network};
    CHECK(simulator.run(Cycles{2}) == 2);
    CHECK(simulator.peek(bus) == 8);
}

TEST_CASE("poking what is no input, and buses of other networks, are refused by name") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    const auto family = network.buses<int>("family", 3);
    network.add<Node>("node", in(bus), out(bus));
    Simulator simulator{network};
    CHECK(message_of<NetworkError>([&] { simulator.poke(bus, 1); }) ==
          "bus 'bus' is poked, but it is no input");
    CHECK(message_of<NetworkError>([&] { simulator.poke(family[2], 1); }) ==
          "bus 'family[2]' is poked, but it is no input");
    CHECK_THROWS_AS(family[3], NetworkError);

    Network larger{"larger"};
    const auto foreign = larger.buses<int>("foreign", 10)[9];
    CHECK_THROWS_AS(simulator.peek(foreign), NetworkError);
    CHECK_THROWS_AS(simulator.poke(foreign, 1), NetworkError);
}

TEST_CASE("a handle of another network is refused, though its number is known") {
    Network one{"one"}, other{"other"};
    const auto x = one.bus<int>("x");
    const auto input = one.input<int>("input");
    const auto foreign = other.bus<int>("foreign");
    const auto foreign_input = other.input<int>("foreign input");
    const auto family = other.buses<int>("family", 2);
    const auto probe = one.add<Probe<int>>("probe", in(x));
    const auto foreign_probe = other.add<Probe<int>>("foreign probe", in(foreign));
    REQUIRE(foreign.id() == x.id());
    CHECK(holds(message_of<NetworkError>([&] { one.add<Node>("bad", in(foreign), out(x)); }),
                ": 'bad' is bound to a bus of another network"));
    CHECK_THROWS_AS(one.add<Node>("bad", in(x), out(foreign)), NetworkError);
    CHECK_THROWS_AS(one.add<Node>("bad", in(x), out(family[1])), NetworkError);
    CHECK_THROWS_AS(one.add<Node>("bad", in(other.find<int>("foreign")), out(x)), NetworkError);
    one.add<Node>("node", in(input), out(x));
    Network moved = std::move(one);
    const Network later{"later"};
    Simulator simulator{moved};
    CHECK(holds(message_of<NetworkError>([&] { simulator.peek(foreign); }),
                "a bus of another network is used with a simulator of 'one'; use one of 'one'"));
    CHECK_THROWS_AS(simulator.poke(foreign_input, 1), NetworkError);
    CHECK_THROWS_AS(simulator.process(foreign_probe), NetworkError);
    simulator.poke(input, 4);
    simulator.run(Cycles{2});
    CHECK(simulator.peek(moved.find<int>("x")) == 1); // the input is 0 again
    CHECK(simulator.process(probe).seen == std::vector<int>{0, 5});
}

TEST_CASE("a refused process leaves the network as it was") {
    Network other{"other"};
    const auto foreign = other.buses<int>("foreign", 10)[9];
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    const int line = __LINE__ + 2;
    const std::string text =
        message_of<NetworkError>([&] { network.add<Node>("bad", in(bus), out(foreign)); });
    CHECK(holds(text, "engine_test.cpp:" + std::to_string(line) +
                          ": 'bad' is bound to a bus of another network"));
    const auto probe = network.add<Probe<int>>("probe", in(bus));
    {
        network.add<Script<int>>("script", out(bus), std::vector<std::optional<int>>{5});
        Simulator simulator{network}; // the class of the refused process has no process at all
        simulator.run(Cycles{2});
        CHECK(simulator.process(probe).seen == std::vector<int>{0, 5});
    }
    const auto second = network.bus<int>("second");
    CHECK_THROWS_AS(network.add<Node>("bad", in(second), out(foreign)), NetworkError);
    network.add<Node>("good", in(second), out(second));
    Simulator simulator{network};
    simulator.run(Cycles{3});
    CHECK(simulator.peek(second) == 3);
}

TEST_CASE("what no network can hold is refused where it is written") {
    Network network{"n"};
    CHECK_THROWS_AS(network.buses<int>("none", 0), NetworkError);
    CHECK_THROWS_AS(network.buses<int>("many", std::uint64_t{1} << 62), NetworkError);
    CHECK_THROWS_AS(network.bus<int>("late", {.delay = 1u << 31}), NetworkError);
    const int line = __LINE__ + 1;
    const auto text = message_of<NetworkError>([&] { network.bus<int>("x", {.delay = 1048577}); });
    CHECK(holds(text, "engine_test.cpp:" + std::to_string(line) + ": 'x' has a delay of 1048577"));
    network.bus<int>("fine", {.delay = 1048576});
}

TEST_CASE("a network whose slots no port can address is refused before memory is taken") {
    Network network{"n"};
    const auto bus = network.buses<std::uint64_t>("bus", std::uint64_t{1} << 31);
    network.add<Script<std::uint64_t>>("script", out(bus[0]),
                                       std::vector<std::optional<std::uint64_t>>{});
    const std::string text = message_of<NetworkError>([&] { const Simulator simulator{network}; });
    CHECK(holds(text, "the buses of 'n' need 17179873280 bytes"));
    CHECK(holds(text, "[network-too-large]"));
}

TEST_CASE("errors of the network name processes, buses and where they were added") {
    Network network{"n"};
    const int line = __LINE__;
    const auto a = network.bus<int>("a");
    const auto b = network.buses<int>("b", 4);
    network.add<Node>(indexed("node", 7), in(a), out(b[1]));
    network.add<Node>(indexed("node", 8), in(b[1]), out(b[2]));
    network.add<Node>("solo", in(b[2]), out(b[1]));
    network.add<Node>(indexed("node", 7), in(b[1]), out(b[3]));
    const auto at = [&](int offset) { return "engine_test.cpp:" + std::to_string(line + offset); };
    std::string text = message_of<NetworkError>([&] { const Simulator simulator{network}; });
    CHECK(holds(text, at(6) + ": error: the process 'node[7]' is declared twice [duplicate-name]"));

    Network two{"two"};
    const auto c = two.bus<int>("c");
    const auto d = two.input<int>("d");
    two.add<Node>(indexed("node", 0), in(d), out(c));
    const int second = __LINE__ + 1;
    two.add<Node>("solo", in(c), out(c));
    text = message_of<NetworkError>([&] { const Simulator simulator{two}; });
    CHECK(holds(text, "engine_test.cpp:" + std::to_string(second) +
                          ": error: bus 'c' is written by 'node[0].port 1' and by 'solo.port 1'"));

    Network none{"none"};
    const auto e = none.bus<int>("e");
    const auto f = none.input<int>("f");
    const auto g = none.buses<int>("g", 2);
    none.add<Node>("fine", in(f), out(g[0]));
    const int third = __LINE__ + 1;
    none.add<Node>("hungry", in(e), out(g[1]));
    text = message_of<NetworkError>([&] { const Simulator simulator{none}; });
    CHECK(holds(text, "engine_test.cpp:" + std::to_string(third) +
                          ": error: 'hungry' reads bus 'e', but no process writes it"));
}

TEST_CASE("a name used twice is found in the middle of a family as well") {
    Network network{"n"};
    const auto bus = network.buses<int>("bus", 11);
    for (std::uint64_t k = 0; k < 10; ++k)
        network.add<Node>(indexed("node", k), in(bus[k]), out(bus[k]));
    network.add<Node>(indexed("other", 4), in(bus[10]), out(bus[10]));
    CHECK_NOTHROW(Simulator{network});
    network.add<Probe<int>>(indexed("node", 4), in(bus[10]));
    CHECK(holds(message_of<NetworkError>([&] { const Simulator simulator{network}; }),
                "the process 'node[4]' is declared twice"));
}

TEST_CASE("halting outside a step is refused") {
    class Halter : public Process {
    public:
        void step() {}
        void now() const { halt(); }
    };
    Network network{"n"};
    const auto handle = network.add<Halter>("halter");
    Simulator simulator{network};
    simulator.step();
    CHECK(message_of<NetworkError>([&] { simulator.process(handle).now(); }) ==
          "halt() is called outside a step");
}

#ifndef NDEBUG
TEST_CASE("reading a port outside a step is an assertion") {
    class Leaky : public Process {
    public:
        explicit Leaky(In<int> x) : x{x} {}
        void step() {}
        In<int> x;
    };
    Network network{"n"};
    const auto input = network.input<int>("input");
    const auto handle = network.add<Leaky>("leaky", in(input));
    Simulator simulator{network};
    simulator.step();
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        ::close(STDERR_FILENO);
        ::_exit(simulator.process(handle).x.read() & 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGABRT);
}
#endif
