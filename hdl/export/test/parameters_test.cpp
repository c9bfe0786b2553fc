// SPDX-License-Identifier: Apache-2.0
//
// Kept parameters: another value in the Verilog acts like that value in a run.
#include <vector>

#include <doctest/doctest.h>

#include "examples.hpp"
#include "kept.hpp"

namespace {

using namespace sme::test;

constexpr const char* lamp = R"(network: lamp
parameters:
  period: 12
  step: 3
  width: 4
buses:
  on: bool
  level: u8
  wide: u8
processes:
  blink:
    out: [on, level, wide]
    state:
      time: u4
      sum: u8
      bits: u8
    step:
      time: if time >= period - 1 then 0 else time + 1
      on: time == period - 1
      sum: sum + step
      level: sum
      bits: bits + 1
      wide: u8(bits[width - 1:0])
run: {cycles: 40}
)";

} // namespace

TEST_CASE("a parameter works when it is changed, as far as the text is the same") {
    const Scratch folder;
    folder.write("lamp.yaml", lamp);
    const std::string network = folder.path("lamp.yaml");
    const ExportedNetwork exported{network};
    REQUIRE(exported.written.exit_code == 0);
    CHECK(contains(exported.written.out, "\n  parameters   period, step\n"));
    const std::string blink = exported.text("blink.v");
    CHECK(contains(blink, "localparam integer period_minus_1 = (period - 1);"));
    CHECK_FALSE(contains(blink, "width"));
    CHECK(contains(exported.text("lamp.v"), "// written for width = 4"));
    const std::vector<Kept> kept = kept_in(exported.text("lamp.v"));
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].name == "period");
    CHECK(kept[0].high == 16); // time is u4
    CHECK(kept[1].name == "step");
    CHECK(kept[1].high == 255);
    const ExportedNetwork wanted{network + " --keep step --keep width --keep depth"};
    CHECK(wanted.written.exit_code == 2);
    CHECK(wanted.folder().files().empty());
    CHECK(
        contains(wanted.written.err,
                 "--keep: 'width' cannot stay a parameter, because widths, ranges or what is "
                 "unrolled follow from it; write the network for each value, with --set width=N"));
    CHECK(contains(wanted.written.err, "--keep: 'lamp' has no parameter 'depth' that is a number"));
    if (skip("iverilog"))
        return;
    for (const long long period : {2, 5, 11, 13, 16})
        CHECK(changed(exported, kept[0], period) == "PASS: 40 cycles\n");
    for (const long long step : {1, 2, 255})
        CHECK(changed(exported, kept[1], step) == "PASS: 40 cycles\n");
    // a bench for another value detects it
    const ExportedNetwork other{network + " --set period=9"};
    other.folder().write("lamp.v", exported.text("lamp.v"));
    CHECK(contains(other.icarus(), "FAIL"));
    if (!skip("verilator"))
        CHECK(exported.lint() == "");
}

TEST_CASE("a sum that begins with a number has the name of its parameter in front") {
    const Scratch folder;
    folder.write("sums.yaml", R"(network: sums
parameters: {n: 5}
buses: {x: u8, y: u8, z: u8}
processes:
  p:
    out: [x, y, z]
    step:
      x: x + (22 + n)
      y: y ^ u8(22 - n)
      z: z + (n + -3)
run: {cycles: 20}
)");
    const ExportedNetwork exported{folder.path("sums.yaml")};
    REQUIRE(exported.written.exit_code == 0);
    const std::string text = exported.text("p.v");
    CHECK(contains(text, "localparam integer n_plus_22 = (22 + n);"));
    CHECK(contains(text, "localparam integer minus_n_plus_22 = (22 - n);"));
    CHECK(contains(text, "localparam integer n_plus_minus_3 = (n + -3);"));
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 20 cycles\n");
}
