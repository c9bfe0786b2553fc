// SPDX-License-Identifier: Apache-2.0
#include "cut/cut.hpp"

#include <set>

#include <doctest/doctest.h>

#include "network/test/graphs.hpp"

using namespace sme;

namespace {

/// Process k writes bus k and reads bus reads(k).
template <class Reads> Graph singles(unsigned count, Reads reads) {
    Graph graph;
    for (unsigned k = 0; k < count; ++k)
        graphs::bus(graph, "b" + std::to_string(k), 0);
    for (unsigned k = 0; k < count; ++k)
        graphs::process(
            graph, "p" + std::to_string(k), 0,
            {graphs::in("x", graphs::to({reads(k)})), graphs::out("y", graphs::to({k}))});
    return graph;
}

Graph ring(std::uint64_t count) {
    Graph graph;
    graphs::bus(graph, "b", count);
    Segments before = graphs::to({static_cast<std::int64_t>(count) - 1});
    before.append(count - 1, 0, 1);
    graphs::process(graph, "p", count,
                    {graphs::in("x", before), graphs::out("y", Segments::identity(count))});
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
    const std::vector<unsigned> shares = cut.shares(2);
    std::set<unsigned> rings[2];
    for (std::size_t k = 0; k < shares.size(); ++k)
        rings[shares[k]].insert(cut.blocks()[k].family % 2);
    CHECK(rings[0].size() == 1);
    CHECK(rings[1].size() == 1);
    CHECK(rings[0] != rings[1]);
    const std::vector<std::uint32_t>& families = cut.families();
    CHECK(families.size() == count);
    CHECK(std::set<std::uint32_t>(families.begin(), families.end()).size() == count);
    CHECK(cut_of(graph).families() == families);
}

TEST_CASE("any number of shares gets about equal work, in the one order") {
    const Cut cut = cut_of(singles(1000, [](unsigned k) { return (k * 7 + 1) % 1000; }));
    for (const unsigned count : {1u, 2u, 3u, 5u, 8u}) {
        const std::vector<unsigned> shares = cut.shares(count);
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

TEST_CASE("a process that reads a memory is in the share of its owner") {
    if (!Cut::has_metis()) {
        MESSAGE("skipped: built without METIS");
        return;
    }
    constexpr unsigned half = 32;
    Graph graph = singles(2 * half, [](unsigned k) { return k; });
    for (std::uint32_t k = half; k < 2 * half; ++k)
        graph.processes[k].looks_at.push_back({k - half, 0, 0});
    const Cut cut = cut_of(graph);
    const std::vector<unsigned> shares = cut.shares(2);
    std::vector<unsigned> of(2 * half);
    for (std::size_t k = 0; k < shares.size(); ++k)
        of[cut.blocks()[k].family] = shares[k];
    for (unsigned k = 0; k < half; ++k)
        CHECK(of[k] == of[k + half]);
}
