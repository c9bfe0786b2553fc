// SPDX-License-Identifier: Apache-2.0
//
// Maps of fields as structs, wherever a value may be used. Expected values are calculated by hand.
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::errors_of;
using test::Texts;
using test::Values;
using test::YamlRun;

constexpr const char* pair_types = "network: n\ntypes:\n  Pair: {a: u8, b: bool}\n"
                                   "  Four: u4[2]\n  Inner: {p: Pair, q: Four}\n";

/// A process that counts t from 0 and writes y, with more sections before it.
std::string network_of(const std::string& type, const std::string& lines,
                       const std::string& sections = "") {
    return pair_types + sections + "buses:\n  y: " + type +
           "\nprocesses:\n  p:\n    out: y\n    state:\n      t: u8\n    step:\n"
           "      t: t + 1\n" +
           lines;
}

/// The single error of a constant's value.
std::string wrong_constant(const std::string& value) {
    const Texts found =
        errors_of(network_of("u8", "      y: t\n", "constants:\n  c: " + value + "\n"));
    REQUIRE(found.size() == 1);
    return found[0];
}

} // namespace

TEST_CASE("initial values of states and buses are maps, lists of maps and maps of maps") {
    YamlRun run{pair_types + std::string{R"(
buses:
  x: hold Pair = {a: 3, b: true}
  y: hold Inner = {q: [5, 6], p: {b: true}}
  z[k < 3]: hold Pair = {a: k + 1}
  w: u8
processes:
  p:
    out: [x, y, z, w]
    state:
      s: Pair[2] = [{a: 7}, {a: 8, b: true}]
      all: Pair[2] =
        {a: 9,
         b: true}
      first: Pair = if 1 > 2 then {a: 1} else {a: 2}
    step:
      w: s[1].a + all[0].a + all[1].a + first.a when s[1].b and all[1].b and not s[0].b
)"}};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.at("x.a") == 3);
    CHECK(run.at("x.b") == 1);
    CHECK(run.at("y.p.a") == 0);
    CHECK(run.at("y.p.b") == 1);
    CHECK(run.at("y.q[0]") == 5);
    CHECK(run.at("y.q[1]") == 6);
    CHECK(run.at("z[0].a") == 1);
    CHECK(run.at("z[2].a") == 3);
    CHECK(run.over("w", 2) == Values{0, 8 + 9 + 9 + 2});
}

TEST_CASE("constants are maps with a type, or with types in them") {
    YamlRun run{network_of("u8",
                           "      y: c.a + d.p.a + e[1].a + f.q[1] + g[0].a when c.b and e[0].b\n",
                           "constants:\n"
                           "  c: Pair = {a: 1, b: true}\n"
                           "  d: {p: {a: u8(2), b: false}, n: i4(-1)}\n"
                           "  e: Pair[] = [{b: true}, {a: 4}]\n"
                           "  f:\n"
                           "    p: c\n"
                           "    q: [u8(7), 8]\n"
                           "  g:\n"
                           "    - {a: u8(16), b: true}\n")};
    CHECK(run.over("y", 2) == Values{0, 1 + 2 + 4 + 8 + 16});
    CHECK(wrong_constant("{a: 1, b: true}") ==
          "needs-type: the type of field 'a' is not known; write it, as in u8(...), or a type "
          "before all of it, as in 'c: T = {...}'");
    CHECK(wrong_constant("[1, 2]") ==
          "needs-type: the type of the elements is not known; write it, as in u8(...)");
    CHECK(wrong_constant("Pair = {a: 1, c: 2}").starts_with("unknown-field: "));
    CHECK(wrong_constant("Pair = {a: 1, a: 2}") == "unknown-field: field 'a' is given twice");
    CHECK(wrong_constant("Pair = {a: true}").starts_with("type-mismatch: field 'a' is u8, but "));
    CHECK(wrong_constant("u8 = {a: 1}") == "type-mismatch: u8 belongs here, which has no fields");
    CHECK(wrong_constant("{}").starts_with("wrong-shape: "));
}

TEST_CASE("a field whose zero is no value of it must be given") {
    const Texts found = errors_of("network: n\ntypes:\n  Op: [ADD = 1, SUB]\n"
                                  "  Order: {op: Op, n: u8}\nconstants:\n"
                                  "  c: Order = {n: 1}\nbuses: {y: u8}\nprocesses:\n"
                                  "  p: {out: y, step: {y: 1}}\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0] == "bad-call: 'Op' has no member 0, so field 'op' must be given");
}

TEST_CASE("in an expression a map takes the type of its place, or of what it meets") {
    YamlRun run{network_of("Pair", R"yaml(
      y:
        - {a: t, b: true} when t == 1
        - if t == 2 then {a: 9, b: q == {a: 1, b: true}} else q
    let:
      q: "if t == 3 then {a: 7} else Pair({a: 1, b: true})"
)yaml")};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.over("y.a", 5) == Values{0, 1, 1, 9, 7});
    YamlRun again{network_of("Pair", "      y: {a: t, b: true} when t < 2\n")};
    CHECK(again.over("y.a", 5) == Values{0, 0, 1, 0, 0});
}

TEST_CASE("a map writes the fields that it gives, also under a condition") {
    const std::string lines = R"(
      y:
        - {a: t} when t < 2
        - {b: true}
)";
    YamlRun run{network_of("hold Pair = {a: 50, b: false}", lines)};
    CHECK(run.over("y.a", 5) == Values{50, 0, 1, 1, 1});
    YamlRun second{network_of("hold Pair = {a: 50, b: false}", lines)};
    CHECK(second.over("y.b", 5) == Values{0, 0, 0, 1, 1});
}

TEST_CASE("without a type around it a map is a struct of the types of its fields") {
    YamlRun run{network_of("u16", "      y: u16({high: t, low: u8(2)}) + u16(pick({n: t}, true))\n",
                           "functions:\n  pick(x, c): if c then x.n else 0\n")};
    CHECK(run.over("y", 3) == Values{0, 0x002, 0x103});
    const Texts found = errors_of(network_of("u8", "      y: {a: 1}.a\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].starts_with("needs-type: the type of field 'a' is not known"));
    const Texts mixed = errors_of(network_of("u8", "      y: if t == {a: 1} then 1 else 2\n"));
    REQUIRE(mixed.size() == 1);
    CHECK(mixed[0] == "type-mismatch: u8 belongs here, which has no fields");
}

TEST_CASE("an input of an instance is given a map, in either style of YAML") {
    const std::string network = pair_types + std::string{R"yaml(
import: [sum]
buses:
  y[2]: u8
processes:
  one:
    use: sum
    in:
      x: {a: 3, b: true}
      z:
        - {a: 4}
        - {a: 5, b: true}
    out: {y: "y[0]"}
  two[k < 1]:
    use: sum
    in:
      x:
        a: k + 6
        b: true
      z: "[{a: 1}, Pair(a = 2)]"
    out: {y: "y[1]"}
files:
  sum:
    component: sum
    types:
      Pair: {a: u8, b: bool}
    in: {x: Pair, z: "Pair[2]"}
    out: {y: u8}
    step:
      y: x.a + z[0].a + z[1].a when x.b
)yaml"};
    YamlRun run{network};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.over("y[0]", 2) == Values{0, 12});
    CHECK(run.at("y[1]") == 9);
    std::string wrong = network;
    wrong.replace(wrong.find("{a: 3, b"), 8, "{c: 3, b");
    const Texts found = errors_of(wrong);
    REQUIRE(found.size() == 1);
    CHECK(found[0] == "unknown-field: Pair has no field 'c'");
    wrong = network;
    wrong.replace(wrong.find("\"y[0]\""), 6, "{a: 1}");
    CHECK(errors_of(wrong) ==
          Texts{"wrong-shape: this is a map, but the name of a bus belongs here"});
}

TEST_CASE("a record of several values has a column for each") {
    YamlRun run{network_of("Pair", "      y: {a: t, b: t == 1}\n",
                           "outputs:\n  /dev/null:\n    record: {n: y.a + 1, all: y}\n"
                           "    when: cycle > 0\n"
                           "checks:\n  - after 2: y == {a: u8(cycle) - 1, b: cycle == 2}\n")};
    CHECK(run.run(4) == RunEnd::completed);
    run.check_all_passed();
    REQUIRE(run.observed.recordings.size() == 1);
    CHECK(run.design().recordings[0]->columns == Texts{"n", "all.a", "all.b"});
}
