// SPDX-License-Identifier: Apache-2.0
#include "cut/cut.hpp"

#include <set>

#include <doctest/doctest.h>

#include "cut/bisection.hpp"
#include "network/build.hpp"
#include "network/checks/check.hpp"

using namespace sme;

namespace {

std::shared_ptr<const GroupFactory> kind(double operations) {
    return std::make_shared<const GroupFactory>(
        [](const Build&) { return std::unique_ptr<Group>{}; }, operations);
}

Port port(bool output, Segments buses) {
    Port result;
    result.name = output ? "y" : "x";
    result.output = output;
    result.type = Type::unsigned_integer(32);
    result.buses = std::move(buses);
    return result;
}

/// Process k writes bus k and reads bus reads(k).
template <class Reads> Graph singles(unsigned count, Reads reads) {
    Graph graph;
    for (unsigned k = 0; k < count; ++k) {
        BusFamily bus;
        bus.name = "b" + std::to_string(k);
        bus.type = Type::unsigned_integer(32);
        graph.add(bus);
    }
    for (unsigned k = 0; k < count; ++k) {
        ProcessFamily process;
        process.name = "p" + std::to_string(k);
        process.kind = kind(10);
        process.parts = {{Part::Kind::step, {{0}}, {{1}}}};
        process.ports = {port(false, Segments::affine(1, reads(k), 0)),
                         port(true, Segments::affine(1, k, 0))};
        graph.processes.push_back(process);
    }
    return graph;
}

Graph ring(std::uint64_t count) {
    Graph graph;
    BusFamily bus;
    bus.name = "b";
    bus.type = Type::unsigned_integer(32);
    bus.count = count;
    graph.add(bus);
    ProcessFamily process;
    process.name = "p";
    process.count = count;
    process.kind = kind(10);
    process.parts = {{Part::Kind::step, {{0}}, {{1}}}};
    Segments before = Segments::affine(1, static_cast<std::int64_t>(count) - 1, 0);
    before.append(count - 1, 0, 1);
    process.ports = {port(false, before), port(true, Segments::identity(count))};
    graph.processes.push_back(process);
    return graph;
}

Cut cut_of(const Graph& graph) {
    Diagnostics diagnostics;
    const Writers writers = Writers::of(graph, diagnostics);
    REQUIRE(!diagnostics.has_errors());
    return Cut::of(graph, writers);
}

} // namespace

TEST_CASE("two rings whose processes alternate in the source get a share each") {
    if (!Cut::has_metis()) {
        MESSAGE("skipped: built without METIS");
        return;
    }
    constexpr unsigned count = 400;
    const Graph graph = singles(count, [](unsigned k) { return (k + 2) % count; });
    const Cut cut = cut_of(graph);
    const std::vector<std::uint32_t> shares = cut.shares(2);
    std::set<unsigned> rings[2];
    for (std::size_t k = 0; k < shares.size(); ++k)
        rings[shares[k]].insert(cut.blocks()[k].family % 2);
    CHECK(rings[0].size() == 1);
    CHECK(rings[1].size() == 1);
    CHECK(rings[0] != rings[1]);
    const std::vector<std::uint32_t> families = cut.families();
    CHECK(families.size() == count);
    CHECK(std::set<std::uint32_t>(families.begin(), families.end()).size() == count);
    CHECK(cut_of(graph).families() == families);
}

TEST_CASE("any number of shares gets about equal work, in the one order") {
    const Cut cut = cut_of(singles(1000, [](unsigned k) { return (k * 7 + 1) % 1000; }));
    for (const unsigned count : {1u, 2u, 3u, 5u, 8u}) {
        const std::vector<std::uint32_t> shares = cut.shares(count);
        std::vector<unsigned> sizes(count);
        for (std::size_t k = 0; k < shares.size(); ++k) {
            ++sizes[shares[k]];
            CHECK((k == 0 || shares[k] >= shares[k - 1]));
        }
        for (const unsigned size : sizes) {
            CHECK(size >= 1000 / count);
            CHECK(size <= 1000 / count + 1);
        }
    }
}

TEST_CASE("a large family is divided into blocks of neighbours, and the effort does not grow") {
    const Cut cut = cut_of(ring(100'000'000));
    CHECK(cut.blocks().size() == 64);
    std::uint64_t instances = 0;
    for (const Cut::Block& block : cut.blocks())
        instances += block.instances.count;
    CHECK(instances == 100'000'000);
    for (const std::uint64_t k : {0ul, 31'000'000ul, 99'999'999ul}) {
        const double place = cut.place(0, k);
        CHECK(place >= 0);
        CHECK(place < 1);
    }
}

TEST_CASE("few processes stay in source order") {
    const Cut cut = cut_of(singles(8, [](unsigned k) { return (k + 3) % 8; }));
    CHECK(cut.families() == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a network without links is in source order") {
    const Cut cut = cut_of(singles(100, [](unsigned k) { return k; }));
    for (std::uint32_t k = 0; k < 100; ++k)
        CHECK(cut.families()[k] == k);
}
