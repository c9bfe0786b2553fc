// SPDX-License-Identifier: Apache-2.0
//
// Valid types of ports of process classes: enumerations, constants, and no bus of another type.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/test/command.hpp"
#include "processes.hpp"
#include "sme/sme.hpp"

namespace {

enum class Phase : std::uint8_t { idle, run, done = 6 };
enum class Coarse { low, high };
enum Plain : std::uint16_t { first, second };
enum class Nameless : std::uint8_t { a, b = 200 };
enum class Late : std::uint8_t { one = 1 };
enum class Below : std::int8_t { minus = -1, zero };
enum class Twice : std::uint8_t { zero, again = 0 };

} // namespace

SME_ENUM(Phase, idle, run, done)
SME_ENUM(Coarse, low, high)
SME_ENUM(Plain, first, second)
SME_ENUM(Late, one)
SME_ENUM(Below, minus, zero)
SME_ENUM(Twice, zero, again)

using namespace sme;
using namespace processes;

namespace {

struct Tagged {
    Phase phase;
    std::uint32_t value;
};

/// Advances to the next phase, and reports the previous one.
class Crossing : public Process {
public:
    Crossing(In<Phase> x, Out<Phase> y, Out<std::array<Phase, 2>> both)
        : x_{x}, y_{y}, both_{both} {}
    void step() {
        const Phase now = x_.read();
        y_.write(now == Phase::idle ? Phase::run : now == Phase::run ? Phase::done : Phase::idle);
        both_.write({now, Phase::done});
    }

private:
    In<Phase> x_;
    Out<Phase> y_;
    Out<std::array<Phase, 2>> both_;
};

class Adder : public Process {
public:
    Adder(In<int> a, In<int> b, Out<int> y) : a_{a}, b_{b}, y_{y} {}
    void step() { y_.write(a_.read() + b_.read()); }

private:
    In<int> a_, b_;
    Out<int> y_;
};

std::vector<std::string> names_of(const Type& type) {
    std::vector<std::string> names;
    for (const Member& member : type.members())
        names.push_back(member.name + "=" + std::to_string(member.value));
    return names;
}

} // namespace

SME_STRUCT(Tagged, phase, value)

TEST_CASE("an enumeration has the width of its largest member, or the least of its storage") {
    const TypeRef phase = type_of<Phase>();
    CHECK(phase->name() == "Phase");
    CHECK(phase->width_bits() == 3);
    CHECK(names_of(*phase) == std::vector<std::string>{"idle=0", "run=1", "done=6"});
    CHECK(type_of<Coarse>()->width_bits() == 17);
    CHECK(type_of<Coarse>()->size() == sizeof(Coarse));
    CHECK(type_of<Plain>()->width_bits() == 9);
    CHECK(type_of<Nameless>()->name() == "u8");
    CHECK(type_of<Tagged>()->size() == sizeof(Tagged));
    CHECK_THROWS_WITH_AS(type_of<Late>(),
                         "SME_ENUM(Late, one): no member is 0, the value of an unwritten bus",
                         std::logic_error);
    CHECK_THROWS_AS(type_of<Below>(), std::logic_error);
    CHECK_THROWS_AS(type_of<Twice>(), std::logic_error);
}

TEST_CASE("enumerations travel over buses, alone, in arrays and from a test") {
    Network network{"n"};
    const auto y = network.bus<Phase>("y", {.initial = Phase::run});
    const auto both = network.bus<std::array<Phase, 2>>("both");
    const auto given = network.input<Nameless>("given");
    network.add<Crossing>("crossing", in(y), out(y), out(both));
    const auto probe = network.add<Probe<Phase>>("probe", in(y));
    Simulator simulator{network};
    simulator.poke(given, Nameless::b);
    simulator.run(Cycles{4});
    CHECK(simulator.process(probe).seen ==
          std::vector<Phase>{Phase::run, Phase::done, Phase::idle, Phase::run});
    CHECK(simulator.peek(both) == std::array{Phase::run, Phase::done});
}

TEST_CASE("a constant stands in the place of a bus, one bus for all that are the same") {
    Network network{"n"};
    const auto sum = network.bus<int>("sum"), more = network.bus<int>("more");
    const std::uint64_t before = more.id();
    network.add<Adder>("one", in(sum), constant(5), out(sum));
    network.add<Adder>("two", constant(-2), constant(5), out(more));
    const auto phase = network.add<Probe<Phase>>("phase", constant(Phase::done));
    const auto after = network.bus<bool>("after");
    CHECK(after.id() == before + 4); // 5, -2, done
    Simulator simulator{network, {.threads = 2}};
    simulator.run(Cycles{10});
    CHECK(simulator.peek(sum) == 50);
    CHECK(simulator.peek(more) == 3);
    CHECK(simulator.process(phase).seen == std::vector<Phase>(10, Phase::done));
}

TEST_CASE("a port of another type, and a step that is not public, are named by the compiler") {
    const auto compiled = [](const std::string& ports, const std::string& access = "public") {
        const test::Scratch scratch;
        scratch.write("wrong.cpp", R"(#include <sme/sme.hpp>
struct Adder : sme::Process {
    Adder(sme::In<int>, sme::In<int>, sme::Out<int>, double) {}
)" + access + R"(:
    void step() {}
};
void add(sme::Network& n, sme::Bus<int> i, sme::Bus<unsigned char> c) { n.add<Adder>("a", )" +
                                       ports +
                                       ", 1); static_cast<void>(c); static_cast<void>(i); }\n");
        return test::Command{"c++ -std=c++20 -fsyntax-only -I" SME_SOURCE_DIR "/lib/include " +
                                 scratch.path("wrong.cpp"),
                             test::Command::any_program};
    };
    const test::Command right = compiled("sme::in(i), sme::constant(1), sme::out(i)");
    CHECK_MESSAGE(right.exit_code == 0, right.err);
    const test::Command wrong = compiled("sme::in(i), sme::in(c), sme::out(i)");
    CHECK(wrong.exit_code != 0);
    CHECK(test::contains(wrong.err, "a port of this process class has another type than the bus"));
    CHECK(test::contains(wrong.err, "1, sme::In<unsigned char>"));
    const test::Command turned = compiled("sme::in(i), sme::constant(1), sme::in(i)");
    CHECK(test::contains(turned.err, "2, sme::In<int>"));
    const test::Command hidden = compiled("sme::in(i), sme::constant(1), sme::out(i)", "protected");
    CHECK(test::contains(hidden.err, "a process needs a public member 'void step()'"));
}
