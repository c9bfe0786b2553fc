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
    CHECK(found("x.back") == "1 u16 0");
    CHECK(found("many[1].a") == "3 u16 0");
    CHECK(found("many[11].b") == "13 u16[2] 2");
    CHECK(found("words[2]") == "14 u16 4");
    for (const char* path :
         {"", "y", "x.c", "x.", "x[0]", "x.b[2]", "x.b[", "x.b[1", "x.b[]", "x.b[1]a", "x.a.b",
          "many", "many[12]", "many[1]x", "xx", "x.b[-1]", "x.b[1 ]", "words[3]", "x..a"}) {
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
