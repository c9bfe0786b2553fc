// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "network/shape.hpp"

using sme::Shape;

TEST_CASE("an element's name has its indices behind it") {
    Shape shape;
    CHECK(shape.element_name("token", 0) == "token");
    shape.dimensions = {{0, 3, "x"}, {1, 2, "y"}};
    CHECK(shape.element_name("alive", 0) == "alive[0, 1]");
    CHECK(shape.element_name("alive", 5) == "alive[2, 2]");
}

TEST_CASE("what lies inside a family of components has indices within its name") {
    Shape stages;
    stages.dimensions = {{0, 4, "k"}};
    Shape bits;
    bits.dimensions = {{1, 8, "j"}};
    const Shape both = nested(stages, 5, bits);
    CHECK(both.count() == 32);
    CHECK(both.dimensions[0].index.empty());
    CHECK(both.element_name("stage.carry", 8 * 3 + 2) == "stage[3].carry[3]");
    const Shape deeper = nested(both, 11, Shape{});
    CHECK(deeper.element_name("stage.carry.value", 9) == "stage[1].carry[2].value");
}

TEST_CASE("dropped members have neither a place nor a name") {
    Shape shape;
    shape.dimensions = {{0, 6, "k"}};
    shape.kept = {0, 2, 5};
    CHECK(shape.count() == 3);
    CHECK(shape.element_name("even", 2) == "even[5]");
    CHECK(shape.member(2) == 1);
    CHECK_FALSE(shape.member(3).has_value());
    Shape pair;
    pair.dimensions = {{0, 2, "j"}};
    const Shape inside = nested(shape, 4, pair);
    CHECK(inside.count() == 6);
    CHECK(inside.element_name("even.x", 3) == "even[2].x[1]");
}
