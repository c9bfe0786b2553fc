// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "engine/access.hpp"
#include "network/build.hpp"
#include "processes.hpp"

using namespace sme;
using namespace processes;

namespace {

struct Pair {
    bool valid;
    std::uint16_t value;
    bool operator==(const Pair&) const = default;
};

struct Frame3 {
    Unsigned<3> kind;
    std::array<Pair, 2> pairs;
    std::int64_t stamp;
};

/// Its fields are named out of order, so it matches no slot layout.
struct Crooked {
    std::uint8_t a;
    std::uint32_t b;
};

/// Packs the cycle into all parts of a struct.
class Packer : public Process {
public:
    explicit Packer(Out<Frame3> y) : y_{y} {}
    void step() {
        const int now = static_cast<int>(cycle());
        Frame3 result{};
        std::memset(static_cast<void*>(&result), 0xee, sizeof result); // padding must not be copied
        result = {Unsigned<3>{now},
                  {Pair{true, static_cast<std::uint16_t>(now)}, Pair{false, 0xffff}},
                  -now};
        y_.write(result);
    }

private:
    Out<Frame3> y_;
};

/// Writes field `valid` in even cycles and `value` in cycles divisible by 3. A group that knows its
/// type may write one field and not the other.
class FieldWriter final : public Group {
public:
    explicit FieldWriter(const Build& build)
        : outputs_{build}, offset_{build.ports[0].offsets.at(0)},
          marks_{build.bus_at(0, 0).unwritten == Unwritten::error} {}

    void step(unsigned part, Range range, const Frame& frame) override {
        outputs_.prepare(part, range, frame);
        std::byte* const slot = frame.write + offset_;
        if (frame.cycle % 2 == 0)
            write(slot, 0, 0, true);
        if (frame.cycle % 3 == 0)
            write(slot, 2, 1, static_cast<std::uint16_t>(10 + frame.cycle));
    }

private:
    template <class T>
    void write(std::byte* slot, std::size_t at, std::size_t leaf, T value) const {
        internal::store(slot + at, value);
        if (marks_)
            slot[sizeof(Pair) + leaf] = std::byte{1};
    }

    Outputs outputs_;
    std::int64_t offset_;
    bool marks_;
};

/// A probe that does not read before a given cycle.
class LateProbe : public Process {
public:
    LateProbe(In<Pair> x, std::uint64_t from) : x_{x}, from_{from} {}
    void step() {
        if (cycle() >= from_)
            seen.push_back(x_.read());
    }
    std::vector<Pair> seen;

private:
    In<Pair> x_;
    std::uint64_t from_;
};

/// A network of a FieldWriter and a probe, run for some cycles.
class FieldRun {
public:
    FieldRun(const BusOptions<Pair>& options, std::uint64_t cycles, std::uint64_t from = 0);
    RunEnd ending{};
    std::vector<Pair> seen;
};

} // namespace

SME_STRUCT(Pair, valid, value)
SME_STRUCT(Frame3, kind, pairs, stamp)
SME_STRUCT(Crooked, b, a)

namespace {

FieldRun::FieldRun(const BusOptions<Pair>& options, std::uint64_t cycles, std::uint64_t from) {
    Network network{"n"};
    const auto bus = network.bus<Pair>("bus", options);
    const auto probe = network.add<LateProbe>("probe", in(bus), from);
    Graph graph = network.graph();
    ProcessFamily writer;
    writer.name = "writer";
    Port port;
    port.name = "y";
    port.output = true;
    port.type = type_of<Pair>();
    port.buses.append(0);
    writer.ports = {port};
    writer.parts.resize(1);
    writer.parts[0].writes = {{0}};
    writer.kind = factory_of<FieldWriter>();
    graph.processes.push_back(writer);

    Diagnostics diagnostics;
    const auto analysis = analyse(graph, diagnostics);
    REQUIRE(analysis.has_value());
    engine::Engine engine{graph, *analysis, {}, diagnostics};
    ending = engine.run(cycles);
    seen = static_cast<internal::PoolGroup<LateProbe>&>(engine.group(probe.pool)).object(0).seen;
}

} // namespace

TEST_CASE("each field of a struct that was not written is zero by itself") {
    const std::vector<Pair> expected{{false, 9},  {true, 10}, {false, 0}, {true, 0},
                                     {false, 13}, {true, 0},  {false, 0}, {true, 16}};
    CHECK(FieldRun{{.initial = Pair{false, 9}}, 8}.seen == expected);
}

TEST_CASE("each field of a struct that was not written is held by itself") {
    const std::vector<Pair> expected{{false, 9}, {true, 10}, {true, 10}, {true, 10},
                                     {true, 13}, {true, 13}, {true, 13}, {true, 16}};
    CHECK(FieldRun{{.unwritten = Unwritten::hold, .initial = Pair{false, 9}}, 8}.seen == expected);
}

TEST_CASE("a struct on an error bus can be read when all its fields were written") {
    const BusOptions<Pair> options{.unwritten = Unwritten::error, .initial = Pair{false, 9}};
    const FieldRun fine{options, 2};
    CHECK(fine.ending == RunEnd::completed);
    CHECK(fine.seen == std::vector<Pair>{{false, 9}, {true, 10}});
    const FieldRun faulted{options, 3}; // neither was written in cycle 1; cycle 2 reads them
    CHECK(faulted.ending == RunEnd::faulted);
    CHECK(faulted.seen.size() == 2);
}

TEST_CASE("one unwritten field of a struct on an error bus, whichever, is enough for a fault") {
    // written: both in cycle 0, neither in 1, only `valid` in 2, only `value` in 3
    for (const std::uint32_t delay : {0u, 1u, 3u}) {
        CAPTURE(delay);
        const BusOptions<Pair> options{.delay = delay, .unwritten = Unwritten::error};
        for (const std::uint64_t written : {1u, 2u, 3u}) {
            CAPTURE(written);
            const std::uint64_t read = written + delay;
            CHECK(FieldRun{options, read + 1, read}.ending == RunEnd::faulted);
        }
        const FieldRun both{options, delay + 1, delay};
        CHECK(both.ending == RunEnd::completed);
        CHECK(both.seen == std::vector<Pair>{{true, 10}});
    }
}

TEST_CASE("structs with arrays of structs travel whole, over any delay") {
    for (const std::uint32_t delay : {0u, 1u, 2u, 4u}) {
        CAPTURE(delay);
        Network network{"n"};
        const auto bus = network.bus<Frame3>("bus", {.delay = delay});
        network.add<Packer>("packer", out(bus));
        const auto probe = network.add<Probe<Frame3>>("probe", in(bus));
        Simulator simulator{network};
        simulator.run(Cycles{20});
        const std::vector<Frame3>& seen = simulator.process(probe).seen;
        for (std::size_t t = delay; t < 20; ++t) {
            const int written = static_cast<int>(t - delay);
            CHECK(seen[t].kind == written % 8);
            CHECK(seen[t].pairs[0] == Pair{true, static_cast<std::uint16_t>(written)});
            CHECK(seen[t].pairs[1] == Pair{false, 0xffff});
            CHECK(seen[t].stamp == -written);
        }
    }
}

TEST_CASE("the padding of a slot stays zero, whatever the written struct had there") {
    Network network{"n"};
    const auto bus = network.bus<Frame3>("bus");
    network.add<Packer>("packer", out(bus));
    Diagnostics diagnostics;
    const auto analysis = analyse(network.graph(), diagnostics);
    REQUIRE(analysis.has_value());
    engine::Engine engine{network.graph(), *analysis, {}, diagnostics};
    engine.run(4);
    std::array<std::uint8_t, sizeof(Frame3)> slot{};
    std::memcpy(slot.data(), engine.access().value(bus.id()), slot.size());
    // written in cycle 3: kind, pairs at 2 and 6, stamp at 16; the rest is padding
    const std::array<std::uint8_t, 24> expected{3,    0,    1,    0,    3,    0,    0,    0,
                                                0xff, 0xff, 0,    0,    0,    0,    0,    0,
                                                0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    CHECK(slot == expected);
}

TEST_CASE("narrow integers wrap on their way over a bus") {
    Network network{"n"};
    const auto five = network.bus<Unsigned<5>>("five");
    const auto twelve = network.bus<Signed<12>>("twelve");
    network.add<Script<Unsigned<5>>>("a", out(five),
                                     std::vector<std::optional<Unsigned<5>>>{Unsigned<5>{33}});
    network.add<Script<Signed<12>>>("b", out(twelve),
                                    std::vector<std::optional<Signed<12>>>{Signed<12>{2048}});
    Simulator simulator{network};
    simulator.step();
    CHECK(simulator.peek(five) == 1);
    CHECK(simulator.peek(twelve) == -2048);
}

TEST_CASE("a struct whose layout differs from a slot's cannot be put on a bus") {
    Network network{"n"};
    CHECK_THROWS_AS(network.bus<Crooked>("bus"), std::logic_error);
}
