// SPDX-License-Identifier: Apache-2.0
//
// Memories whose elements are arrays. Expected values are calculated by hand.
#include <fmt/format.h>

#include "interpret/test/yaml_run.hpp"

using namespace sme;
using test::Texts;
using test::Values;
using test::YamlRun;

TEST_CASE("a memory whose elements are arrays is read and written by the word and by the element") {
    for (const char* length : {"3", "70"}) { // an array of more than 64 scalars is several words
        const std::string text = fmt::format(R"(
network: n
types:
  Row: u8[{}]
buses:
  x: u8
  y: u8
  z: u8
processes:
  p:
    out: [x, y, z]
    state:
      t: u3 = 0
      m: Row[8]
    step:
      t: t + 1
      m[t]: array(k < len(m[0]), m[t + 7][k] + u8(k) + 1)
      m[t + 4][u8(t) % 3]: 100 when t == 6
      x: m[2, 0]
      y: m[t + 7][u8(t) % 3]
      z: m[t + 7, 2] + m[2][1]
)",
                                             length);
        CAPTURE(text);
        YamlRun run{text};
        // word t, written in cycle t, holds (t + 1)(k + 1) at k; cycle c reads word c - 1
        CHECK(run.over("y", 7) == Values{0, 0, 1 * 2, 2 * 3, 3 * 1, 4 * 2, 5 * 3});
        CHECK(run.at("z") == 6 * 3 + 3 * 2);
        CHECK(run.at("x") == 3);
        run.run(); // cycle 6 wrote 100
        CHECK(run.at("x") == 100);
    }
}

TEST_CASE("a row outside a memory of arrays is a fault where it is looked at") {
    YamlRun run{R"(
network: n
types:
  Row: u8[3]
buses:
  y: Row
processes:
  p:
    out: y
    state:
      t: u4 = 0
      m: Row[5]
    step:
      t: t + 1
      y: m[t] when t != 6
)"};
    CHECK(run.run(20) == RunEnd::faulted);
    CHECK(run.faults() == Texts{"p: index-fault"});
    CHECK(run.engine().cycle() == 6); // cycle 5 was finished
}
