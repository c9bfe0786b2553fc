// SPDX-License-Identifier: Apache-2.0
//
// Tests of `sme check --design`: what tools read of a network.
#include <set>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "../command.hpp"

using namespace sme::test;
using nlohmann::json;

namespace {

json design_of(const Scratch& scratch, const std::string& network) {
    const Command command = sme_in(scratch, "check --design " + network);
    CHECK(command.err == "");
    REQUIRE(command.exit_code == 0);
    return json::parse(command.out);
}

} // namespace

TEST_CASE("a design has types, ranges, known values, loops and functions, each with its place") {
    const Scratch scratch;
    scratch.write("n.yaml", R"(network: n
parameters:
  length: 4
functions:
  twice(v): v + v
buses:
  x: u8[4]
  y: u8
processes:
  p:
    in: x
    out: y
    state:
      total: u8
      cells: u8[length]
    let:
      most: length - 1
      doubled: twice(x[1])
      all: sum(k < length, x[k])
    step:
      - total: total + 1 when doubled > 3
      - cells[total[1:0]]: all
      - assert: total < 200
      - print: "{total}" when all == 0
      - if total == 7:
          y: most
        else:
          y: cells[0]
inputs:
  x: {0: [1, 2, 3, 4]}
outputs:
  rows.csv: {record: y}
run: {cycles: 3}
)");
    const json design = design_of(scratch, "n.yaml");
    CHECK(design["network"] == "n");
    CHECK(design["scope"]["parameters"]["length"] == 4);
    const json& x = design["scope"]["buses"][0];
    CHECK(x["name"] == "x");
    CHECK(x["type"] == "u8[4]");
    CHECK(x["where"] == "n.yaml:7:3");
    const json& p = design["scope"]["processes"][0];
    CHECK(p["name"] == "p");
    CHECK(p["states"][1]["words"] == json::array({4}));
    CHECK(p["lets"]["most"]["value"] == 3);
    const json& call = p["lets"]["doubled"];
    CHECK(call["function"] == "twice");
    CHECK(call["type"] == "u8");
    CHECK(call["where"] == "n.yaml:18:16");
    CHECK(p["functions"][call["body"].get<std::size_t>()]["name"] == "twice");
    CHECK(p["functions"][0]["value"]["operator"] == "+");
    const json& sum = p["lets"]["all"];
    CHECK(sum["kind"] == "loop");
    CHECK(sum["of"][0]["value"] == 4); // steps
    CHECK(sum["of"][1]["of"][1]["range"] == json::array({0, 3}));
    const json& step = p["step"];
    CHECK(step[0]["lines"][0]["target"]["text"] == "total");
    CHECK(step[0]["lines"][0]["is"]["when"]["operator"] == ">");
    CHECK(step[1]["lines"][0]["target"]["of"][1]["type"] == "u2");
    CHECK(step[2]["kind"] == "assert");
    CHECK(step[2]["is"]["value"]["type"] == "bool");
    CHECK(step[3]["printed"][0]["text"] == "total");
    CHECK(step[4]["kind"] == "if");
    CHECK(step[4]["arms"][0]["condition"]["operator"] == "==");
    CHECK(step[4]["arms"][0]["step"][0]["lines"][0]["is"]["value"]["value"] == 3);
}

TEST_CASE("a line over a memory is a loop with a range for each index") {
    const Scratch scratch;
    scratch.write("m.yaml", R"(network: m
buses:
  x: u8
processes:
  p:
    out: x
    state: {a: u8[4, 3], b: u8[4, 3]}
    step:
      - a: b
      - b[0, 0]: a[0, 0]
      - x: a[1, 1]
outputs:
  rows.csv: {record: x}
run: {cycles: 3}
)");
    const json line = design_of(scratch, "m.yaml")["scope"]["processes"][0]["step"][0];
    CHECK(line["lines"].size() == 1);
    REQUIRE(line["loop"].size() == 2);
    CHECK(line["loop"][0]["range"] == json::array({0, 3}));
    CHECK(line["loop"][1]["range"] == json::array({0, 2}));
}

TEST_CASE("what must know its index is unrolled in a design, also beside a long loop") {
    const Scratch scratch;
    scratch.write("m.yaml", R"(network: m
buses:
  x: u64
processes:
  p:
    out: x
    state: {m: u2[4], big: u8[20000]}
    let:
      total: sum(k < 20000, u64(big[k]))
    step:
      - m[k < 4]: x[2 * k + 1:2 * k]
      - big[0]: u8(m[0])
      - x: total
outputs:
  rows.csv: {record: x}
run: {cycles: 3}
)");
    const json process = design_of(scratch, "m.yaml")["scope"]["processes"][0];
    CHECK(process["step"][0]["lines"].size() == 4);
    CHECK(process["lets"]["total"]["kind"] == "loop");
}

TEST_CASE("a design names the channels and clocks of a network, and its actors") {
    const Scratch scratch;
    scratch.write("d.yaml", R"(network: d
domains:
  fast: every 1
  slow: every 4
channels:
  words: depth 3 u16
processes:
  source:
    out: words
    step:
      words: 5
  sink:
    in: words
    state: {last: u16}
    step:
      last: words
      print: "{last}"
run: {cycles: 3}
)");
    const json design = design_of(scratch, "d.yaml");
    CHECK(design["domains"][1]["name"] == "slow");
    CHECK(design["domains"][1]["every"] == 4);
    CHECK(design["channels"][0]["name"] == "words");
    CHECK(design["channels"][0]["message"] == "u16");
    CHECK(design["channels"][0]["depth"] == 3);
    std::set<std::string> actors;
    for (const json& process : design["scope"]["processes"])
        if (process.value("actor", false))
            actors.insert(process["name"].get<std::string>());
    CHECK(actors == std::set<std::string>{"sink", "source"});
}

TEST_CASE("a component has a design, too") {
    const Scratch scratch;
    scratch.write("c.yaml", R"(component: counter
parameters:
  limit: 9
in:
  run: bool
out:
  count: u8
step:
  count: if count == limit then 0 else count + 1 when run
)");
    const json design = design_of(scratch, "c.yaml");
    CHECK(design["network"] == "counter");
    CHECK(design["scope"]["parameters"]["limit"] == 9);
    const json& buses = design["scope"]["buses"];
    REQUIRE(buses.size() == 2);
    CHECK(buses[0]["use"] == "input");
    const json& processes = design["scope"]["processes"];
    REQUIRE(processes.size() == 1);
    CHECK(processes[0]["step"][0]["lines"][0]["is"]["value"]["kind"] == "choice");
}

TEST_CASE("a design is printed of a network without errors only, and not beside --print") {
    const Scratch scratch;
    scratch.write("bad.yaml", "network: bad\nbuses:\n  x: u99999\n");
    const Command bad = sme_in(scratch, "check --design bad.yaml");
    CHECK(bad.exit_code == 2);
    CHECK(bad.out == "");
    scratch.write("names.yaml", "constants:\n  most: u8 = 9\n");
    const Command library = sme_in(scratch, "check --design names.yaml");
    CHECK(library.exit_code == 2);
    CHECK(library.out == "");
    CHECK(library.err.find("'names.yaml' is a library, which has no design") != std::string::npos);
    const Command both = sme_in(scratch, "check --design --print bad.yaml");
    CHECK(both.exit_code == 2);
    CHECK(both.err.find("give one of --print and --design") != std::string::npos);
}
