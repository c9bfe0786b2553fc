// SPDX-License-Identifier: Apache-2.0
//
// Random programs of every operation: compares straight code for single instances with blocks and
// with expr::evaluate, including stores, memory writes, faults and halts.
#include "interpret/block/scalar_code.hpp"

#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "interpret/test/random_program.hpp"

namespace {

using namespace sme;
using expr::NodeId;
using interpret::Evaluator;
using test::instances;
using test::RandomProgram;
using test::World;

struct ScalarCounts {
    unsigned faults = 0, halts = 0, writes = 0;
};

void compare(unsigned seed, bool may_fault, ScalarCounts& counts) {
    CAPTURE(seed);
    const RandomProgram random{seed, may_fault};
    World blocks{random, seed}, singles{random, seed};
    const std::vector<std::byte> before = blocks.memory;
    Evaluator whole{random.program, random.part, blocks.places};
    Evaluator apart{random.program, random.part, singles.places};
    whole.run({0, instances}, blocks.frame(), nullptr);
    for (std::uint64_t p = 0; p < instances; ++p)
        apart.run({p, 1}, singles.frame(), nullptr);
    blocks.heard.sort();
    singles.heard.sort();
    REQUIRE((blocks.heard.faults == singles.heard.faults));
    REQUIRE(blocks.heard.halted == singles.heard.halted);
    REQUIRE((blocks.write == singles.write));
    REQUIRE((blocks.memory == singles.memory));
    counts.faults += !singles.heard.faults.empty();
    counts.halts += singles.heard.halted;
    counts.writes += singles.memory != before;
    if (!singles.heard.faults.empty())
        return;
    for (std::uint64_t p = 0; p < instances; ++p) {
        const std::vector<std::uint64_t> values = walk(random, singles, before, p);
        for (NodeId id = 0; id < values.size(); ++id) {
            CAPTURE(id);
            CAPTURE(static_cast<int>(random.program.nodes[id].op));
            REQUIRE(singles.output(p, id, random.program.nodes[id].type) == values[id]);
        }
    }
}

} // namespace

TEST_CASE("straight code gives what blocks give and what evaluate says, for every operation") {
    ScalarCounts counts;
    for (unsigned seed = 1; seed <= 400; ++seed)
        compare(seed, false, counts);
    CHECK(counts.faults == 0);
    CHECK(counts.halts > 100);
    CHECK(counts.writes > 100);
}

TEST_CASE(
    "where straight code meets a fault, it changes what a block changes and reports the same") {
    ScalarCounts counts;
    for (unsigned seed = 1001; seed <= 1300; ++seed)
        compare(seed, true, counts);
    CHECK(counts.faults > 100);
    CHECK(counts.faults < 290);
}

TEST_CASE("writes that wait for their commit are collected, not made") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        const RandomProgram random{seed, false};
        World at_once{random, seed}, later{random, seed};
        const std::vector<std::byte> before = later.memory;
        Evaluator{random.program, random.part, at_once.places}.run({2, 1}, at_once.frame(),
                                                                   nullptr);
        std::vector<interpret::PendingWrite> pending;
        Evaluator{random.program, random.part, later.places}.run({2, 1}, later.frame(), &pending);
        CHECK((later.memory == before));
        for (const interpret::PendingWrite& write : pending)
            std::memcpy(write.at, &write.value, write.bytes);
        CHECK((later.memory == at_once.memory));
    }
}

TEST_CASE("results of straight code are those of the walk") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        RandomProgram random{seed, false};
        random.part.results = random.part.nodes;
        World world{random, seed};
        const std::vector<std::byte> before = world.memory;
        std::vector<std::uint64_t> values;
        Evaluator{random.program, random.part, world.places}.results(world.frame(), values);
        CHECK((values == walk(random, world, before, 0)));
    }
}
