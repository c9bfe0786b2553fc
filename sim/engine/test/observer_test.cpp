// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/feeder.hpp"
#include "engine/slots/arenas.hpp"
#include "processes.hpp"
#include "runtime/observer.hpp"

using namespace sme;
using namespace processes;

namespace {

/// Records the values that it is shown.
class Watcher final : public Observer {
public:
    struct Notes {
        std::vector<int> values;
        std::vector<bool> settled;
        std::vector<std::uint64_t> cycles;
        std::uint64_t closed_after = 999;
        int opened = 0;
    };
    Watcher(std::shared_ptr<Notes> notes, std::size_t family)
        : notes_{std::move(notes)}, family_{family} {}
    void open(const Observed& observed) override {
        offset_ = observed.slots(family_).at(0);
        ++notes_->opened;
    }
    void step(unsigned, Range, const Frame& frame) override {
        notes_->values.push_back(internal::load<int>(frame.read + offset_));
        notes_->settled.push_back(frame.wires_settled);
        notes_->cycles.push_back(frame.cycle);
    }
    void close(std::uint64_t cycles) override { notes_->closed_after = cycles; }

private:
    std::shared_ptr<Notes> notes_;
    std::size_t family_;
    std::int64_t offset_ = 0;
};

/// The values of a fed bus in cycles 0 … n − 1, and the number of cycles run.
std::pair<std::vector<int>, std::uint64_t> fed(AtEnd at_end, std::uint32_t delay) {
    auto rows = std::make_shared<InputRows>();
    for (const int value : {11, 12, 13}) {
        rows->values.resize(rows->values.size() + 4);
        internal::store(&*(rows->values.end() - 4), value);
    }
    rows->rows = 3;
    rows->row_bytes = 4;
    rows->at_end = at_end;
    Network network{"n"};
    BusOptions<int> options{.delay = delay};
    if (delay > 0)
        options.initial = 11; // row 0
    const auto bus = network.bus<int>("bus", options);
    const auto probe = network.add<Probe<int>>("probe", in(bus));
    Graph graph = network.graph();
    ProcessFamily family;
    family.name = "feeder";
    Port port;
    port.output = true;
    port.type = type_of<int>();
    port.buses.append(0);
    family.ports = {port};
    family.parts.resize(1);
    family.parts[0].writes = {{0}};
    family.kind = engine::feeder(rows);
    graph.processes.push_back(family);
    Diagnostics diagnostics;
    const auto analysis = analyse(graph, diagnostics);
    REQUIRE(analysis.has_value());
    engine::Engine engine{graph, *analysis, {}, diagnostics};
    engine.run(8);
    return {static_cast<internal::PoolGroup<Probe<int>>&>(engine.group(probe.pool)).object(0).seen,
            engine.cycle()};
}

} // namespace

TEST_CASE("an observer sees every cycle and the one after the last, then is closed once") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus", {.initial = 5});
    network.add<Node>("node", in(bus), out(bus));
    auto notes = std::make_shared<Watcher::Notes>();
    {
        Simulator simulator{network};
        simulator.attach(std::make_unique<Watcher>(notes, 0));
        simulator.run(Cycles{3});
        CHECK(notes->values == std::vector<int>{5, 6, 7});
        simulator.finish();
        CHECK(notes->closed_after == 3);
        CHECK(simulator.run(Cycles{3}) == 0);
    }
    CHECK(notes->opened == 1);
    CHECK(notes->values == std::vector<int>{5, 6, 7, 8});
    CHECK(notes->cycles == std::vector<std::uint64_t>{0, 1, 2, 3});
    CHECK(notes->settled == std::vector<bool>{true, true, true, false});
}

TEST_CASE("an observer sees the cycle of a fault, but not its wires, and nothing after it") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    const auto broken = network.bus<int>("broken", {.unwritten = Unwritten::error, .initial = 0});
    const auto wire = network.bus<int>("wire", {.delay = 0});
    network.add<Node>("node", in(bus), out(bus));
    network.add<Probe<int>>("reader", in(broken)); // faults in cycle 1
    network.add<Script<int>>("script", out(broken), std::vector<std::optional<int>>{});
    network.add<Node>("early", in(bus), out(wire));
    network.add<Probe<int>>("late", in(wire));
    auto notes = std::make_shared<Watcher::Notes>();
    {
        Simulator simulator{network};
        simulator.attach(std::make_unique<Watcher>(notes, 0));
        CHECK_THROWS_AS(simulator.run(Cycles{9}), ModelFault);
    }
    CHECK(notes->values == std::vector<int>{0, 1});
    CHECK(notes->settled == std::vector<bool>{true, false});
    CHECK(notes->closed_after == 2);
}

TEST_CASE("row r of a fed bus is what readers see in cycle r, for registers and wires") {
    using Seen = std::vector<int>;
    for (const std::uint32_t delay : {0u, 1u}) {
        CAPTURE(delay);
        CHECK(fed(AtEnd::halt, delay) == std::pair{Seen{11, 12, 13}, std::uint64_t{3}});
        CHECK(fed(AtEnd::zero, delay).first == Seen{11, 12, 13, 0, 0, 0, 0, 0});
        CHECK(fed(AtEnd::hold, delay).first == Seen{11, 12, 13, 13, 13, 13, 13, 13});
        CHECK(fed(AtEnd::repeat, delay).first == Seen{11, 12, 13, 11, 12, 13, 11, 12});
    }
}

TEST_CASE("the tail of both arenas is one memory, the rest is not") {
    engine::Arenas arenas{4096, 3 * 4096};
    std::byte* const a = arenas.first();
    std::byte* const b = arenas.second();
    CHECK(std::all_of(a, a + 3 * 4096, [](std::byte x) { return x == std::byte{0}; }));
    a[4096] = std::byte{1};
    b[3 * 4096 - 1] = std::byte{2};
    a[4095] = std::byte{3};
    CHECK(b[4096] == std::byte{1});
    CHECK(a[3 * 4096 - 1] == std::byte{2});
    CHECK(b[4095] == std::byte{0});
    const engine::Arenas without_wires{4096, 4096};
    without_wires.first()[4095] = std::byte{1};
    CHECK(without_wires.second()[4095] == std::byte{0});
}
