// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "engine/test/processes.hpp"
#include "sme/compare.hpp"

using namespace sme;

namespace {

/// Adds a number that all instances share outside the network.
class Sharing : public Process {
public:
    Sharing(In<int> x, Out<int> y) : x_{x}, y_{y} {}
    void step() {
        last = (last * 5 + x_.read()) % 1013;
        y_.write(last);
    }

private:
    static inline int last = 1;
    In<int> x_;
    Out<int> y_;
};

/// Passes its input to another process without a bus.
class Telling : public Process {
public:
    Telling(In<int> x, Out<int> y, int* mine, const int* other)
        : x_{x}, y_{y}, mine_{mine}, other_{other} {}
    void step() {
        *mine_ = x_.read();
        y_.write(x_.read() + *other_);
    }

private:
    In<int> x_;
    Out<int> y_;
    int* mine_;
    const int* other_;
};

/// Throws in the cycle in which it reads a given number.
class Throwing : public Process {
public:
    Throwing(In<int> x, int limit) : x_{x}, limit_{limit} {}
    void step() {
        if (x_.read() == limit_)
            throw std::runtime_error{"too much"};
    }

private:
    In<int> x_;
    int limit_;
};

} // namespace

TEST_CASE("processes that share nothing give the same in any order") {
    Network network{"ring"};
    const auto token = processes::add_ring(network, 20);
    network.add<Throwing>("throwing", in(token[3]), 90);
    network.add<Throwing>("throwing_too", in(token[5]), 90); // the faults are also the same
    CHECK_FALSE(compare_orders(network, Cycles{300}, 18));
}

TEST_CASE("a static of a class is found, with bus, process, cycle and values") {
    Network network{"sharing"};
    const auto token = processes::add_ring(network, 5);
    const auto y = network.buses<int>("y", 4);
    for (std::uint64_t k = 0; k < 4; ++k)
        network.add<Sharing>(indexed("sharing", k), in(token[k]), out(y[k]));
    const auto found = compare_orders(network, Cycles{50});
    REQUIRE(found);
    CHECK(found->bus.substr(0, 2) == "y[");
    CHECK(found->process == "sharing" + found->bus.substr(1));
    CHECK(found->first != found->second);
    CHECK(found->text.find("they share something") != std::string::npos);
}

TEST_CASE("a pointer into another process is found in the cycle in which it shows first") {
    Network network{"telling"};
    const auto token = processes::add_ring(network, 5);
    const auto y = network.buses<int>("y", 2);
    int first = 0, second = 0;
    network.add<Telling>("first", in(token[0]), out(y[0]), &first, &second);
    network.add<Telling>("second", in(token[1]), out(y[1]), &second, &first);
    const auto found = compare_orders(network, Cycles{50});
    REQUIRE(found);
    CHECK(found->cycle > 0);
    CHECK((found->process == "first" || found->process == "second"));
}
