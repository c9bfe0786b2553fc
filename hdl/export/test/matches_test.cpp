// SPDX-License-Identifier: Apache-2.0
//
// A match as a value: with more than three arms it becomes a case, from which tools build one
// selection.
#include <doctest/doctest.h>

#include "examples.hpp"
#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

constexpr const char* unit_network = R"yaml(network: choices
functions:
  weighted(k, v):
    match k:
      0: v
      1: v << 1
      2: v << 2
      else: v ^ 0x55
buses:
  kind: u3
  a: u8
  y: u8
  few: u8
  open: u8
  called: u8
processes:
  source:
    out: [kind, a]
    state: {n: u11}
    step:
      n: n + 1
      kind: n[2:0]
      a: n[10:3]
  unit:
    in: [kind, a]
    out: [y, few, open, called]
    state: {last: u8}
    let:
      # what the kind says
      chosen:                       # of eight
        match kind:
          0: a + last
          1: a - last
          2, 3: a & last
          4: u8(a < last)
          5: a
          else: a ^ last
      pair:
        match kind[1:0]:
          0: a
          else: last
      unread:
        match kind:
          0: a
          1: a + 1
          2: a + 2
          else: 0
    step:
      last: chosen
      y: chosen
      few: pair
      open:
        match kind:
          0b1??: a
          0b01?: last
          0b001: a + 1
          else: 0
      called: weighted(kind, a)
      assert: unread != 1 or a != 200
run: {cycles: 300}
)yaml";

} // namespace

TEST_CASE("a match of more than three arms is a case, of which Yosys makes one choice") {
    const Scratch folder;
    folder.write("unit.yaml", unit_network);
    const ExportedNetwork exported{folder.path("unit.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    const std::string text = exported.text("unit.v");
    CHECK(contains(text, R"(
    // what the kind says
    reg [7:0] chosen; // of eight
    always @* begin
        case (kind)
            3'd0: begin
                chosen = a + last;
            end
)"));
    CHECK(contains(text, "            3'd2, 3'd3: begin\n                chosen = a & last;\n"));
    CHECK(contains(text, "            default: begin\n                chosen = a ^ last;\n"));
    CHECK(contains(text, "wire [7:0] pair = kind[1:0] == 2'd0 ? a : last;"));
    CHECK_FALSE(contains(text, "unread")); // only an assert reads it
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 300 cycles\n");
    if (!skip("verilator"))
        CHECK(exported.lint() == "");
    if (!skip("yosys"))
        CHECK(exported.yosys("select -assert-min 1 unit/t:$pmux") == "");
    const ExportedVhdl vhdl{folder.path("unit.yaml")};
    REQUIRE(vhdl.written.exit_code == 0);
    if (!skip("ghdl")) {
        CHECK(contains(vhdl.ghdl(), "PASS: 300 cycles"));
        CHECK(vhdl.synthesis() == "");
    }
}
