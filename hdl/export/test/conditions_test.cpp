// SPDX-License-Identifier: Apache-2.0
//
// A condition that is a literal, or that a parameter or an input decides: the same values in every
// engine and in the export.
#include <doctest/doctest.h>

#include <array>

#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

// @F never holds, @T always does; @S never holds: in an actor, where it reads no bus
constexpr const char* conditions = R"yaml(network: conditions
parameters: {on: 1, off: 0}
types:
  P: {a: u8, b: u8}
buses:
  no: bool
  k: u8
  b0: u8
  b1: hold u8
  b2: P
  b3: u8
  b4: wire u8
  b5: u8
  b6: hold P = {a: 3}
  b7[4]: u8
channels:
  c0: u8
  c1: u8
  c2: u8
inputs: {no: no.csv}
processes:
  p:
    in: no
    out: [k, b0, b1, b2, b3, b4, b5, b6, b7]
    state:
      m: u8[4]
      s: u8 = 7
      r: u8
    reset: @F
    let:
      l: if @F then k else k + 1
      l2: "k" 
    step:
      k: k + 1
      b0: k when @F
      b1: k when @T
      b2: {a: 1, b: k} when @T
      b3:
        - k when @F
        - k + 3 when @T
        - 9
      b4: l when @T
      if @F:
        b5: k
        s: 1
        m[1]: k
      elif @T:
        b5: k + 5
        m[k & 3]: k when @T
      else:
        b5: 77
      b6.a: k when @F
      b6.b: k when @T
      b7[j < 4]: u8(j) + k when @T
      assert: @T or k == 0
      halt: @F
      print: "k {k} s {s} m {m}" when @T
      r: r + (if @T then 1 else 2)
    checks:
      - always: @F implies k == 3
      - always: @T implies r == k
      - never: @F and k == k
  a0:
    in: no
    out: {y: c0, z: c1}
    state: {n: u8}
    step:
      y: n when @T
      z: n when @F
      n: n + 1
      if @F:
        z: 5
    done: @F or n == 6
  a1:
    in: {c0: c0, c1: c1, no: no}
    out: {y: c2}
    receive:
      c1: @S
    take:
      c0: @T
    state: {n: u8, sw: bool}
    step:
      sw: sw
      y: c0 + n when @T
      n: n + 1
  a2:
    in: c2
    state: {sum: u8}
    step: {sum: sum + c2}
outputs:
  out.csv: {record: {k: k, b0: b0, b1: b1, b2: b2, b3: b3, b4: b4, b5: b5, b6: b6, b7: "b7[1]"}}
  c.csv: {record: c2}
checks:
  - cover: k == 3
  - always: @T
run: {cycles: 15}
)yaml";

std::string with(std::string text, const std::string& never, const std::string& always,
                 const std::string& state) {
    for (const auto& [mark, condition] : {std::pair{"@F", never}, {"@T", always}, {"@S", state}})
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;)
            text.replace(at, 2, condition);
    return text;
}

/// Returns the rows that an engine records and its output, without the lines of checks.
std::string run(const Scratch& folder, const char* engine) {
    const Command done{"run " + folder.path("n.yaml") + " --engine " + engine + " --threads 1"};
    CAPTURE(done.err);
    CHECK(done.exit_code == 0);
    return done.out.substr(0, done.out.find("conditions:")) + text_of(folder.path("out.csv")) +
           text_of(folder.path("c.csv"));
}

} // namespace

TEST_CASE("a literal condition means what the same condition of an input means") {
    std::string first;
    for (const auto& [never, always, state] :
         {std::array{"no", "not no", "sw"}, std::array{"false", "true", "false"},
          std::array{"off == 1", "on == 1", "off == 1"}}) {
        const std::string written = never; // clang cannot capture structured bindings
        CAPTURE(written);
        const Scratch folder;
        folder.write("no.csv", "0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n");
        folder.write("n.yaml", with(conditions, never, always, state));
        const std::string rows = run(folder, "interpreted");
        first = first.empty() ? rows : first;
        CHECK(rows == first);
        CHECK(run(folder, "native") == first);
        const ExportedNetwork verilog{folder.path("n.yaml")};
        REQUIRE(verilog.written.exit_code == 0);
        if (!skip("iverilog"))
            CHECK(contains(verilog.icarus(), "PASS: "));
        const ExportedVhdl vhdl{folder.path("n.yaml")};
        REQUIRE(vhdl.written.exit_code == 0);
        if (!skip("ghdl"))
            CHECK(contains(vhdl.ghdl(), "PASS: "));
    }
    CHECK(contains(first, "k 3 s 7"));
}

TEST_CASE("a test of the sign reads the sign bit") {
    const Scratch folder;
    folder.write("signs.yaml", R"(network: signs
buses: {z: i16, y: bool, w: bool, v: bool, i: i1, j: bool}
processes:
  p:
    out: [z, y, w, v, i, j]
    state: {m: "i8[4]", n: u2}
    step:
      n: n + 1
      m[n]: i8(z % 8) - 4
      z: if z < 31000 then z + 1000 else -32000
      y: z < 0
      w: 0 <= z
      v: m[n] < 0 or z + 5 < 0
      i: i1(0 - (if n[0] then 1 else 0))
      j: i >= 0
run: {cycles: 150}
)");
    const ExportedNetwork exported{folder.path("signs.yaml")};
    CAPTURE(exported.written.err);
    CHECK(exported.icarus() == "PASS: 150 cycles\n");
    CHECK(exported.lint() == "");
    CHECK(contains(exported.text("p.v"), "y <= z[15];"));
    CHECK(contains(exported.text("p.v"), "w <= !z[15];"));
    CHECK(contains(exported.text("p.v"), "m[n][7] || z + 16'sd5 < 16'sd0"));
}

TEST_CASE("a word of a memory turns, and a shift that loses all bits is zero") {
    const Scratch folder;
    folder.write("shifts.yaml", R"(network: shifts
buses: {x: u9, y: wire u5, z: wire i5}
processes:
  p:
    out: [x, y, z]
    state: {m: "u9[40] = 5", n: u4}
    step:
      n: n + 1
      m[n]: m[1] + 7
      x: rotl(m[1], n) ^ rotr(m[0], n)
      y: u5(n) >> 5
      z: i5(n) >> 5
run: {cycles: 20}
)");
    const ExportedNetwork exported{folder.path("shifts.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    CHECK(contains(exported.text("p.v"), "y = 5'd0;"));
    CHECK(contains(exported.text("p.v"), R"(
        for (word = 0; word < 40; word = word + 1)
            m[word] = 9'd5;
    end
)"));
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 20 cycles\n");
}

TEST_CASE("a negative number in a wide type keeps its sign") {
    const Scratch folder;
    folder.write("wide.yaml", R"(network: wide
buses: {x: u200, y: u300}
processes:
  p:
    out: [x, y]
    step:
      x: x ^ u200(3 - 17)
      y: y ^ u300(0 - 2)
run: {cycles: 5}
)");
    const ExportedNetwork exported{folder.path("wide.yaml")};
    REQUIRE(exported.written.exit_code == 0);
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 5 cycles\n");
}

TEST_CASE("tables that a function uses and its variables have different names") {
    const Scratch folder;
    folder.write("names.yaml", R"(network: names
constants: {c: "u4[2, 3] = [[9, 2, 3], [4, 15, 6]]"}
functions:
  F(x): cat(c[1, x % 3], c[0, (x >> 3) % 3])
buses: {x: u8, y: u8}
processes:
  p:
    out: [x, y]
    step:
      x: x + 1
      y: F(x)
run: {cycles: 20}
)");
    const ExportedNetwork exported{folder.path("names.yaml")};
    REQUIRE(exported.written.exit_code == 0);
    CHECK(contains(exported.text("p.v"), "reg [3:0] table__2;"));
    CHECK_FALSE(contains(exported.text("p.v"), "function automatic [3:0] table__2;"));
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 20 cycles\n");
    if (!skip("yosys"))
        CHECK(exported.yosys() == "");
}

TEST_CASE("an output that is assigned in every cycle has no default, any other has one") {
    const Scratch folder;
    folder.write("defaults.yaml", R"(network: defaults
types:
  P: {a: u4, b: u4}
buses: {k: u4, halves: u8, record: P, chosen: u4, cased: u4, some: u8, part: u4, drive: wire u4}
processes:
  p:
    out: [k, halves, record, chosen, cased, some, part, drive]
    step:
      k: k + 1
      halves[3:0]: k
      halves[7:4]: ~k
      record: {a: k, b: 3}
      chosen:
        - 1 when k == 3
        - k
      some[k[2:0]]: true
      if k[0]:
        cased: 2
        part: 3
        drive: k
      else:
        match k[3:1]:
          0: {cased: 5}
          else: {cased: 6}
        drive: 1
run: {cycles: 40}
)");
    const ExportedNetwork exported{folder.path("defaults.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    const std::string text = exported.text("p.v");
    CAPTURE(text);
    const std::string step = text.substr(text.find("end else begin", text.find("if (rst)")));
    for (const char* name : {"k <= 4'd0", "halves <= 8'd0", "record_a <= 4'd0", "record_b <= 4'd0",
                             "chosen <= 4'd0", "cased <= 4'd0"})
        CHECK_FALSE(contains(step, name));
    CHECK_FALSE(contains(text, "drive = 4'd0"));
    CHECK(contains(step, "some <= 8'd0;"));
    CHECK(contains(step, "part <= 4'd0;"));
    CHECK(exported.lint() == "");
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 40 cycles\n");
    if (!skip("yosys"))
        CHECK(exported.yosys() == "");
}
