// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "network/find.hpp"

using namespace sme;

TEST_CASE("parts of buses are found by name") {
    Graph graph;
    const TypeRef word = Type::unsigned_integer(16);
    const TypeRef pair = Type::structure("", {{"a", word}, {"b", Type::array(word, 2)}});
    const auto add = [&](const char* name, TypeRef type, std::uint64_t count) {
        BusFamily bus;
        bus.name = name;
        bus.type = std::move(type);
        bus.count = count;
        if (count > 1)
            bus.shape.dimensions.push_back({0, count, {}});
        graph.add(std::move(bus));
    };
    add("x", pair, 1);
    add("x.back", word, 1); // like the back field of a bundle
    add("many", pair, 12);
    add("words", Type::array(word, 3), 1);
    const auto found = [&](const char* path) -> std::string {
        const auto place = find_value(graph, path);
        return place ? std::to_string(place->element) + " " + place->type->name() + " " +
                           std::to_string(place->offset)
                     : "none";
    };
    CHECK(found("x") == "0 {a: u16, b: u16[2]} 0");
    CHECK(found("x.b[1]") == "0 u16 4");
    CHECK(found("x.b[ 1 ]") == "0 u16 4");
    CHECK(found("x.back") == "1 u16 0");
    CHECK(found("many[1].a") == "3 u16 0");
    CHECK(found("many[11].b") == "13 u16[2] 2");
    CHECK(found("words[2]") == "14 u16 4");
    for (const char* path :
         {"",      "y",       "x.c",      "x.",    "x[0]",    "x.b[2]",   "x.b[",
          "x.b[1", "x.b[]",   "x.b[1]a",  "x.a.b", "many",    "many[12]", "many[1]x",
          "xx",    "x.b[-1]", "words[3]", "x..a",  "x.b[1,]", "x.b[1]]"}) {
        CAPTURE(path);
        CHECK(found(path) == "none");
    }
}

TEST_CASE("elements inside families of components are found by all their indices") {
    Graph graph;
    BusFamily bus;
    bus.name = "stage.carry.level";
    bus.type = Type::unsigned_integer(8);
    bus.shape.dimensions = {{0, 4, {}, 5}, {1, 8, {}, 11}, {0, 2, {}, 11}};
    bus.count = bus.shape.count();
    graph.add(bus);
    for (std::uint64_t k = 0; k < bus.count; ++k) {
        const std::string name = graph.bus_name(k);
        CAPTURE(name);
        const auto found = find_value(graph, name);
        REQUIRE(found);
        CHECK(found->element == k);
    }
    CHECK(find_value(graph, "stage[3].carry[8,1].level"));
    CHECK_FALSE(find_value(graph, "stage[3].carry[0, 1].level"));
    CHECK_FALSE(find_value(graph, "stage[4].carry[1, 1].level"));
    CHECK_FALSE(find_value(graph, "stage.carry.level"));
}

TEST_CASE("dropped members have no name, and a wrong name gets near ones") {
    Graph graph;
    graph.name = "n";
    BusFamily bus;
    bus.name = "even";
    bus.type = Type::structure("Pair", {{"left", Type::boolean()}, {"right", Type::boolean()}});
    bus.shape.dimensions = {{0, 6, {}}};
    bus.shape.kept = {0, 2, 4};
    bus.count = 3;
    graph.add(bus);
    CHECK(find_value(graph, "even[4].right")->element == 2);
    CHECK_FALSE(find_value(graph, "even[3]"));
    CHECK_THROWS_WITH_AS(value_named(graph, "even[0].rigth"),
                         "network 'n' has no bus 'even[0].rigth', did you mean 'even[0].right'?",
                         NetworkError);
}

TEST_CASE("processes and words of their memories are found by name") {
    Graph graph;
    ProcessFamily core;
    core.name = "tile.core";
    core.shape.dimensions = {{0, 2, {}, 4}, {1, 3, {}}};
    core.count = 6;
    const TypeRef pair =
        Type::structure("", {{"a", Type::boolean()}, {"b", Type::unsigned_integer(32)}});
    core.memories.push_back({"regs", pair, 8, {}, {4, 2}, {}});
    graph.processes.push_back(core);
    ProcessFamily pool;
    pool.name = "pool 1";
    pool.count = 5;
    pool.names = {{0, "first", false, 0, {}}, {1, "node", true, 7, {}}, {4, "a.b", false, 0, {}}};
    graph.processes.push_back(pool);
    for (std::uint32_t f = 0; f < 2; ++f)
        for (std::uint64_t k = 0; k < graph.processes[f].count; ++k)
            CHECK(find_process(graph, graph.processes[f].instance_name(k)) == ProcessPlace{f, k});
    for (const char* name : {"tile.core", "tile[0].core", "tile[0].core[0]", "tile[0].core[1].x",
                             "node[6]", "node[10]", "node", "first[0]", "pool 1", "a"})
        CHECK_FALSE(find_process(graph, name));
    const auto memory = find_memory(graph, "tile[1].core[2].regs[3, 1].b");
    REQUIRE(memory);
    CHECK(memory->process == ProcessPlace{0, 4});
    CHECK_FALSE(memory->whole);
    CHECK(memory->offset == 7 * pair->size() + pair->fields()[1].offset);
    CHECK(find_memory(graph, "tile[1].core[2].regs[3][1]")->type == pair);
    CHECK(find_memory(graph, "tile[1].core[2].regs")->whole);
    for (const char* name :
         {"tile[1].core[2]", "tile[1].core[2].regs[3]", "tile[1].core[2].regs[4, 0]",
          "tile[1].core[2].regs[0, 0].c", "tile[1].core[2].words"})
        CHECK_FALSE(find_memory(graph, name));
}
