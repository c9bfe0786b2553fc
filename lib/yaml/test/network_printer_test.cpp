// SPDX-License-Identifier: Apache-2.0
//
// The printed text of specific networks; each also loads to the same network again.
#include <doctest/doctest.h>

#include <filesystem>

#include "yaml/test/printed.hpp"

using namespace sme;
using test::printed;
namespace fs = std::filesystem;

TEST_CASE("a component stands once for each set of numbers, with types as parameters") {
    const std::string text = printed(R"(network: kinds
import: [lib/pair.yaml, lib/words.yaml]
parameters: {width: 4}
buses: {a: u8, b: u16, c: u8, d: u4, e: u4}
processes:
  x: {use: pair, with: {T: u8, by: 1}, out: {y: a}}
  z:
    use: pair
    with:
      by: width - 3
      T: Word
    out: {y: b}
  v: {use: pair, with: {by: 0x7f, T: u8}, out: {y: c}}
  w: {use: pair, with: {by: 0x7f, T: u(width)}, out: {y: d}}
  u: {use: pair, with: {by: 0x7f, T: u(width)}, out: {y: e}}
files:
  lib/pair.yaml:
    component: pair
    import: [one]
    parameters: {by: 1, unused: 3, T: type = u8}
    out: {y: T}
    buses: {inner: T}
    processes:
      first:
        use: one
        with: {by: "width(T(0)) + unused", T: T}
        out: {y: inner}
      second:
        in: {x: inner}
        out: y
        step:
          y: x + T(by)
  one:
    component: one
    parameters: {by: 1, T: type = bool}
    out: {y: T}
    step:
      y: y + T(by)
  lib/words.yaml:
    types: {Word: u16}
)");
    // pair has four kinds: by 1 with u8 and u16, by 127 with u8 and u4; one has three kinds, with
    // `by` equal to the width 8, 16 or 4 plus 3
    CHECK(text == R"(network: kinds
import: [pair, pair_2, pair_3, pair_4, words]
parameters:
  width: 4
buses:
  a: u8
  b: u16
  c: u8
  d: u4
  e: u4
processes:
  x:
    use: pair
    with: {T: u8}
    out: {y: a}
  z:
    use: pair_2
    with: {T: Word}
    out: {y: b}
  v:
    use: pair_3
    with: {T: u8}
    out: {y: c}
  w:
    use: pair_4
    with: {T: u(width)}
    out: {y: d}
  u:
    use: pair_4
    with: {T: u(width)}
    out: {y: e}
files:
  pair:
    component: pair
    import: [one]
    parameters:
      by: 1
      T: type = u8
    out:
      y: T
    buses:
      inner: T
    processes:
      first:
        use: one
        with: {T: T}
        out: {y: inner}
      second:
        in: {x: inner}
        out: y
        step:
          y: x + T(by)
)" + text.substr(text.find("  pair_2:")));
    CHECK(text.find("  one:\n    component: one\n    parameters:\n      by: 11\n") !=
          std::string::npos);
    CHECK(text.find("  one_2:\n    component: one_2\n    parameters:\n      by: 19\n") !=
          std::string::npos);
    CHECK(text.find("  one_3:\n    component: one_3\n    parameters:\n      by: 7\n") !=
          std::string::npos);
    CHECK(text.find("one_4") == std::string::npos);
    CHECK(text.find("by: 0x7f") != std::string::npos);
    CHECK(text.find("unused") == std::string::npos);
}

TEST_CASE("what nothing uses is left out, and what needs it") {
    CHECK(printed(R"(network: names
import: [words, more]
parameters:
  kept: 4
  gone: 5
  only_for_the_instance: 6
  even_less: only_for_the_instance
  path: file = a.hex
types:
  Letter: [alpha, beta = kept]
  Deep: u(gone)
  Lost: {a: u8, b: Deep}
  Pair(T): {high: T, low: T}
constants:
  nothing: u8 = 1
functions:
  double(x): twice(x)
  twice(x): x + x
  lost(x): x + nothing
buses:
  a: Pair(u8)
  b: u8
processes:
  p:
    in: b
    out: a
    step:
      a.high: if Letter(b[2:0]) == alpha then 1 else double(u8(2))
  q:
    use: constant
    with: {value: even_less + 1}
    out: {y: b}
files:
  words:
    types: {Word: u8}
    functions: {inner(x): x + 1}
  more:
    component: constant
    import: [words]
    parameters: {value: 1}
    out: {y: Word}
    step:
      y: value
)") == R"(network: names
import: [words, constant]
parameters:
  kept: 4
types:
  Letter: [alpha, beta = kept]
  Pair(T): {high: T, low: T}
functions:
  double(x): twice(x)
  twice(x): x + x
buses:
  a: Pair(u8)
  b: u8
processes:
  p:
    in: b
    out: a
    step:
      a.high: if Letter(b[2:0]) == alpha then 1 else double(u8(2))
  q:
    use: constant
    out: {y: b}
files:
  words:
    types:
      Word: u8
    functions:
      inner(x): x + 1
  constant:
    component: constant
    import: [words]
    parameters:
      value: 7
    out:
      y: Word
    step:
      y: value
)");
}

TEST_CASE("a type that only gave a number is a parameter no more") {
    const std::string text = printed(R"(network: numbers
import: [outer]
buses: {a: u8, b: u8}
processes:
  x: {use: outer, with: {T: u7}, out: {y: a}}
  z: {use: outer, with: {T: u3}, out: {y: b}}
files:
  outer:
    component: outer
    parameters: {T: type = u8}
    import: [inner]
    out: {y: u8}
    processes:
      i: {use: inner, with: {by: width(T(0))}, out: y}
  inner:
    component: inner
    parameters: {by: 1}
    out: {y: u8}
    step: {y: by}
)");
    CHECK(text.find("with") == std::string::npos);
    CHECK(text.find("T: type") == std::string::npos);
    CHECK(text.find("      by: 7\n") != std::string::npos);
    CHECK(text.find("      by: 3\n") != std::string::npos);
}

TEST_CASE("names of files are as from the working folder") {
    fs::current_path(SME_SOURCE_DIR);
    const std::string text = printed(R"(network: paths
parameters:
  board: file = glider.hex
  same: file = board
import: [inner]
constants:
  start: bool[48] = file(board)
  other: bool[48] = file(./glider.hex)
  nested: bool[2, 48] = [file(same), file(glider.hex)]
buses:
  a: bool
  b: bool[48]
processes:
  p:
    out: a
    step:
      a: start[1] and other[2] and nested[0, 1]
  q:
    use: inner
    with: {data: glider.hex}
    out: {y: b}
outputs:
  a out.csv: {record: a, when: a}
run: {trace: "#1.vcd", cycles: 0x10}
files:
  inner:
    component: inner
    parameters:
      data: file = there is none.hex
    out: {y: "bool[48]"}
    constants:
      all: bool[48] = file(data)
    step:
      y: all
)",
                                     "models/life/paths.yaml");
    for (const char* part :
         {"  board: file = models/life/glider.hex\n", "  same: file = models/life/glider.hex\n",
          "  start: bool[48] = file(board)\n", "= file(models/life/./glider.hex)\n",
          "= [file(same), file(models/life/glider.hex)]\n",
          "outputs:\n  models/life/a out.csv:\n    record: a\n    when: a\n",
          "run: {cycles: 0x10, trace: models/life/#1.vcd}\n",
          "    parameters:\n      data: file = models/life/glider.hex\n"}) {
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    }
}

TEST_CASE("a name of a file that is also one of a parameter stays a name of a file") {
    const std::string text = printed(R"(network: clash
parameters: {there: file = here}
buses: {a: u8}
processes:
  p:
    out: a
    step:
      a: 1
outputs:
  there: {record: a}
  ./there: {record: a}
run: {trace: ./there}
)",
                                     "test.yaml", {{"there", "x"}});
    CHECK(text.find("\nparameters:\n  there: file = x\n") != std::string::npos);
    CHECK(text.find("\noutputs:\n  there:\n") != std::string::npos);
    CHECK(text.find("\n  ./there:\n") != std::string::npos);
    CHECK(text.find("\nrun: {trace: ./there}\n") != std::string::npos);
}

TEST_CASE("what YAML would take for something else is quoted, long lines are broken") {
    std::string sum = "a";
    for (int k = 0; k < 60; ++k)
        sum += "+a";
    const std::string text = printed(R"(network: quotes
buses:
  "null": u8
  a: u8
  on: u8
processes:
  Null_: {in: a, out: "null", step: {"null": 1}}
  p:
    in: {x: a}
    out: [a, on]
    step:
      on: -x
      a: )" + sum + R"(
      print: "a: {a}, 'x' {x:02x} # {{}}\"" when a>2
      if )" + sum + "==0" + R"(: {}
)");
    CHECK(text.find("\n  \"null\": u8\n") != std::string::npos);
    CHECK(text.find("\n      on: -x\n") != std::string::npos);
    CHECK(text.find("\n      print: \"a: {a}, 'x' {x:02x} # {{}}\\\"\" when a > 2\n") !=
          std::string::npos);
    CHECK(text.find(" +\n          a + a") != std::string::npos);
}

TEST_CASE("maps of fields are printed as YAML, and in quotes where they stand in a text") {
    const std::string text = printed(R"(network: maps
import: [sum]
types: {Pair: {a: u8, b: bool}}
constants:
  typed: Pair = {b: true}
  untyped:
    p: {a: u8( 1 ), b: true}
    q: [u8(2), 3]
buses:
  x: hold Pair = {a: 3}
  y: u8
processes:
  p:
    out: x
    step:
      x:
        - {a: x.a + 1} when x == {a: 3, b: true}
        - "{b: true}"
  s:
    use: sum
    in: {x: {a: 3, b: typed.b}, z: [{a: 1}, {b: true}]}
    out: {y: y}
outputs:
  rows.csv:
    record: {x: x, sum: y + untyped.p.a}
files:
  sum:
    component: sum
    types: {Pair: {a: u8, b: bool}, Two: "Pair[2]"}
    in: {x: Pair, z: Two}
    out: {y: u8}
    step:
      y: x.a + z[0].a
)");
    const auto holds = [&](const char* part) {
        CAPTURE(text);
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    };
    holds("\n  typed: \"Pair = {b: true}\"\n");
    holds("\n  untyped: {p: {a: u8(1), b: true}, q: [u8(2), 3]}\n");
    holds("\n  x: \"hold Pair = {a: 3}\"\n");
    holds("\n        - \"{a: x.a + 1} when x == {a: 3, b: true}\"\n        - {b: true}\n");
    holds("z: [{a: 1}, {b: true}]");
}
