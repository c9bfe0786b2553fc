// SPDX-License-Identifier: Apache-2.0
//
// Networks written as VHDL: the results of GHDL and its synthesis, names, and refused networks.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "examples.hpp"
#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

/// Returns the verdict of the test bench after replacing `from` by `to` in a file.
std::string mutated(const std::string& network, const std::string& file, const std::string& from,
                    const std::string& to) {
    const ExportedVhdl exported{network + " --cycles 60"};
    REQUIRE(exported.written.exit_code == 0);
    std::string text = exported.text(file);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    exported.folder().write(file, text.replace(at, from.size(), to));
    return exported.ghdl();
}

/// A chain of nested components, with a family; errors inside are visible only inside.
constexpr const char* nest = R"yaml(network: nest
import: [pair.yaml]
files:
  pair.yaml:
    component: pair
    import: [stage.yaml]
    in: {x: i5}
    out: {y: i5}
    buses: {middle: i5}
    processes:
      first: {use: stage, in: {x: x}, out: {y: middle}}
      second: {use: stage, in: {x: middle}, out: {y: y}}
  stage.yaml:
    component: stage
    in: {x: i5}
    out: {y: i5}
    buses: {twice: i5, flag: bool}
    processes:
      double:
        in: x
        out: [twice, flag]
        step:
          twice: x << 1
          flag: x < 0
      less:
        in: [twice, flag]
        out: y
        step: {y: "if flag then -twice else twice - 3"}
buses:
  x: i5
  y[k < 2, j < 3]: i5
  sum: i5
processes:
  count:
    out: x
    step: {x: x + 5}
  node[k < 2, j < 3]:
    use: pair
    in: {x: x}
    out:
      y: y[k, j]
  add:
    in:
      y[k < 2, j < 3]: y[k, j]
    out: sum
    step: {sum: "sum(k < 2, j < 3, y[k, j])"}
run: {cycles: 50}
)yaml";

} // namespace

TEST_CASE("every model and every standard component agrees with its run in GHDL") {
    if (skip("ghdl"))
        return;
    std::vector<Example> all = models();
    const std::vector<Example> more = components();
    all.insert(all.end(), more.begin(), more.end());
    REQUIRE(all.size() > 30);
    for (const Example& example : all) {
        CAPTURE(example.path);
        const ExportedVhdl exported{
            fmt::format("{} {} --cycles 200", example.path, example.arguments)};
        CAPTURE(exported.written.err);
        REQUIRE(exported.written.exit_code == 0);
        const std::string said = exported.ghdl();
        CAPTURE(said);
        CHECK(said.starts_with("PASS: "));
    }
}

TEST_CASE("GHDL synthesises what is written") {
    if (skip("ghdl"))
        return;
    for (const char* name : {"cpu", "fir", "life", "riscv", "sha256", "traffic", "uart"}) {
        CAPTURE(name);
        const ExportedVhdl exported{model(name) + " --cycles 1"};
        REQUIRE(exported.written.exit_code == 0);
        CHECK(exported.synthesis() == "");
    }
}

TEST_CASE("a test bench in VHDL sees an operator that was changed") {
    if (skip("ghdl"))
        return;
    const std::string sum =
        mutated(model("running_sum"), "accumulator.vhd", "so_far + ", "so_far - ");
    // raw is 0, 1, 2, ...: the second added value arrives in cycle 3
    CHECK(sum == "cycle 3: total.value is FFFF, but was 0001 in the run\nFAIL\n");
    CHECK(contains(mutated(model("life"), "cell_.vhd", " = ", " /= "), "FAIL"));
    CHECK(contains(mutated(model("uart"), "files.f", "\n", "\n"), "PASS"));
    CHECK(contains(mutated(model("traffic"), "controller.vhd", "= '1'", "= '0'"), "FAIL"));
    const std::string wired = mutated(model("running_sum"), "running_sum.vhd",
                                      "raw_value => raw_value,\n            total_valid",
                                      "raw_value => 16x\"1\",\n            total_valid");
    CHECK(contains(wired, "total.value is 0001, but was 0000 in the run\nFAIL\n"));
}

TEST_CASE("a test bench in VHDL compares buses inside components, and in families") {
    const Scratch folder;
    folder.write("nest.yaml", nest);
    const ExportedVhdl exported{folder.path("nest.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    const std::string bench = exported.text("nest_bench.vhd");
    for (const std::string bus :
         {"node[0].at_1[2].unit.first.twice", "node[1].at_1[0].unit.second.flag",
          "node[1].at_1[2].unit.middle"})
        CHECK_MESSAGE(contains(bench, bus), bus);
    if (skip("ghdl"))
        return;
    CHECK(exported.ghdl() == "PASS: 50 cycles\n");
    // flag is '1' where x is negative, first in cycle 5: 20 is -12
    const std::string said =
        mutated(folder.path("nest.yaml"), "double.vhd", "flag <= x", "flag <= not x");
    CHECK(contains(said, "flag is 1, but was 0 in the run\nFAIL\n"));
    CHECK(exported.synthesis() == "");
}

TEST_CASE("names that are none of VHDL become others, each its own") {
    const Scratch folder;
    folder.write("names.yaml", R"(network: Signal
buses: {Entity: u8, entity: u8, a__b: u8, a_b: u8, end: u8, last_: u8, cycle: u8, x: u8, line: u8}
processes:
  process:
    out: [Entity, entity, a__b, a_b, end, last_, cycle, x, line]
    state:
      Out: u8
      out_: u8 = 3
      to_index: u8[4]
      unsigned: bool
    let: {Sum: Out + out_, sum: Sum + 1}
    step:
      Out: Out + 1
      unsigned: not unsigned
      to_index[u2(Out)]: sum
      Entity: Sum
      entity: sum
      a__b: to_index[u2(out_)]
      a_b: if unsigned then 1 else 2
      end: Out
      last_: out_
      cycle: Sum + 2
      x: 1
      line: Out
run: {cycles: 20}
)");
    const ExportedVhdl exported{folder.path("names.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    const std::string text = exported.text("process_.vhd");
    CHECK(contains(text, "\\entity\\ : out unsigned(7 downto 0)"));
    CHECK(contains(text, "\\Entity\\ : out unsigned(7 downto 0)"));
    CHECK(contains(text, "a_b : out unsigned(7 downto 0)"));
    if (!skip("ghdl"))
        CHECK(exported.ghdl() == "PASS: 20 cycles\n");
}

TEST_CASE("clocks slower than integers count, in a network whose name is none of VHDL") {
    const Scratch folder;
    folder.write("rare.yaml", R"(network: rare_
domains: {fast: 1, slow: every 2147483648 offset 3, never: every 4294967295 offset 4294967290}
buses: {x: u8, y: u8, z: u8}
processes:
  often: {out: x, step: {x: x + 1}}
  rarely: {domain: slow, out: y, state: {n: u8 = 5}, step: {y: n, n: n + 1}}
  not_once: {domain: never, out: z, step: {z: 7}}
checks:
  - always: y == (if cycle < 4 then 0 else 5) and z == 0
run: {cycles: 10}
)");
    const ExportedVhdl vhdl{folder.path("rare.yaml")};
    CAPTURE(vhdl.written.err);
    REQUIRE(vhdl.written.exit_code == 0);
    CHECK(vhdl.top == "rare");
    if (!skip("ghdl"))
        CHECK(vhdl.ghdl() == "PASS: 10 cycles\n");
    const ExportedNetwork verilog{folder.path("rare.yaml")};
    if (!skip("iverilog"))
        CHECK(verilog.icarus() == "PASS: 10 cycles\n");
    const Command long_run{"vhdl " + folder.path("rare.yaml") + " --cycles 3000000000 -o " +
                           folder.path("out")};
    CHECK(long_run.exit_code == 2);
    CHECK(contains(long_run.err, "a test bench has fewer than 2147483648 cycles"));
}

TEST_CASE("a part of a network is a design in VHDL, too") {
    const ExportedVhdl exported{model("uart") + " --top transmitter --cycles 100"};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    CHECK(contains(exported.written.out, "left out"));
    if (!skip("ghdl"))
        CHECK(exported.ghdl() == "PASS: 100 cycles\n");
}

TEST_CASE("VHDL without a folder for it is refused") {
    const Command nowhere{"vhdl " + model("fir")};
    CHECK(nowhere.exit_code == 2);
    CHECK(contains(nowhere.err, "nothing says where the VHDL goes; give -o FOLDER"));
}

TEST_CASE("constant conditions and sign tests in VHDL agree with the run") {
    if (skip("ghdl"))
        return;
    const Scratch folder;
    folder.write("known.yaml", R"(network: known
types: {S: {a: i5, b: i16}}
buses: {a: u8, y: hold u8, z: hold u8, w: bool, x: i16, s: S, low: bool, high: bool}
processes:
  p:
    out: [a, y, z, w, x, s, low, high]
    step:
      a: a + 1
      y: a when bool(u1(a) % u1(1))
      z: a when u1(a) % u1(1) == u1(a) % u1(1)
      w: not bool(u1(a) % u1(1)) and u1(a) % u1(1) < u1(1)
      x: if x < 31000 then x + 1000 else -32000
      s.a: i5(a % 16)
      s.b: x
      low: x < 0 and 0 > s.b
      high: x >= 0 or 0 <= s.a
run: {cycles: 150}
)");
    const ExportedVhdl exported{folder.path("known.yaml")};
    CAPTURE(exported.written.err);
    CHECK(exported.ghdl() == "PASS: 150 cycles\n");
    CHECK(contains(exported.text("p.vhd"), "low <= x(15) and s_b(15);"));
}

TEST_CASE("sign tests of one bit are conditions in VHDL and in Verilog") {
    const Scratch folder;
    folder.write("bits.yaml", R"(network: bits
buses: {x: u8, y: bool, i: u2, a: i1, b: i1}
processes:
  p:
    in: [a, b]
    out: [x, y, i]
    state: {m: "i1[4]"}
    step:
      i: i + 1
      m[i]: ~m[i]
      x[0]: a < 0 or b < 0
      x[1]: m[0] < 0 and m[1] < 0
      x[2]: any(k < 4, m[k] < 0)
      x[3]: all(k < 3, m[k] >= 0)
      x[4]: not (a < 0) and 0 > b
      x[5]: (a < 0) == (b < 0)
      x[6]: (a < 0) == (i == 0)
      x[7]: if a < 0 then b >= 0 else m[2] < 0
      y: m[i] < 0
  q:
    in: x
    out: [a, b]
    step:
      a: ~a
      b: b - a
run: {cycles: 40}
)");
    const ExportedVhdl vhdl{folder.path("bits.yaml")};
    CAPTURE(vhdl.written.err);
    REQUIRE(vhdl.written.exit_code == 0);
    if (!skip("ghdl"))
        CHECK(vhdl.ghdl() == "PASS: 40 cycles\n");
    if (!skip("iverilog"))
        CHECK(ExportedNetwork{folder.path("bits.yaml")}.icarus() == "PASS: 40 cycles\n");
}
