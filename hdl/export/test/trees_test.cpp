// SPDX-License-Identifier: Apache-2.0
//
// Sums and other associative operations: more than three terms are a tree, not a chain.
#include <regex>

#include <doctest/doctest.h>

#include "examples.hpp"
#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

// 16 bytes that change every cycle; wide signed numbers, wrapping sums, products and extremes
constexpr const char* trees_network = R"yaml(network: trees
buses:
  x: u8[16]
  total: i9
  exact: i16
  product: u8
  smallest: i8
  largest: u8
  four: u8
  three: u8
  mixed: u8
  bits: u8
processes:
  source:
    out: x
    state: {s: u64 = 0x123456789abcdef1}
    step:
      s: s ^ (s << 13) ^ (s >> 7) ^ (s << 17)
      x: array(k < 16, u8(s >> (3 * k)))
  reduce:
    in: x
    out: [total, exact, product, smallest, largest, four, three, mixed, bits]
    step:
      total: sum(k < 16, i9(x[k]) - 100)
      exact: i16(x[0]) * 3 + i16(x[1]) - 5 + i16(x[2]) + i16(x[3]) + 7 + i16(x[4])
      product: x[0] * x[1] * x[2] * x[3] * (x[4] | 1)
      smallest: min(k < 13, i8(x[k]))
      largest: max(k < 16, x[k])
      four: x[0] + x[1] + x[2] + x[3]
      three: x[0] + x[1] + x[2]
      mixed: x[0] + x[1] - x[2] + x[3] - (x[4] & x[5] & x[6] & x[7])
      bits: xor(k < 5, x[k]) | (x[5] ^ x[6] ^ x[7] ^ x[8])
run: {cycles: 300}
)yaml";

/// Returns the logic depth, in cells, of a process that registers `expression` of 16 bytes.
int depth(const std::string& expression) {
    const Scratch folder;
    folder.write("one.yaml", fmt::format(R"yaml(network: one
buses:
  x: u8[16]
  y: u8
processes:
  source:
    out: x
    step: {{x: "array(k < 16, x[k] + 3 * k + 1)"}}
  reduce:
    in: x
    out: y
    step: {{y: "{}"}}
run: {{cycles: 4}}
)yaml",
                                         expression));
    const ExportedNetwork exported{folder.path("one.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    CHECK(exported.yosys("opt; tee -q -o ltp.txt ltp -noff reduce") == "");
    const std::string text = exported.text("ltp.txt");
    std::smatch found;
    REQUIRE(std::regex_search(text, found, std::regex{"length=([0-9]+)"}));
    return std::stoi(found[1]);
}

} // namespace

TEST_CASE("terms that can be joined in any order are a balanced tree") {
    const Scratch folder;
    folder.write("trees.yaml", trees_network);
    const ExportedNetwork exported{folder.path("trees.yaml")};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    const std::string text = exported.text("reduce.v");
    CHECK(contains(text, "four <= x[7:0] + x[15:8] + (x[23:16] + x[31:24]);"));
    CHECK(contains(text, "three <= x[7:0] + x[15:8] + x[23:16];"));
    CHECK(contains(text, "mixed <= x[7:0] + x[15:8] - x[23:16] + x[31:24] - (x[39:32] & x[47:40] & "
                         "(x[55:48] &\n"));
    if (!skip("iverilog"))
        CHECK(exported.icarus() == "PASS: 300 cycles\n");
    if (!skip("verilator"))
        CHECK(exported.lint() == "");
    const ExportedVhdl vhdl{folder.path("trees.yaml")};
    REQUIRE(vhdl.written.exit_code == 0);
    if (!skip("ghdl"))
        CHECK(contains(vhdl.ghdl(), "PASS: 300 cycles"));
}

TEST_CASE("a balanced tree is as deep as the logarithm of its terms") {
    if (skip("yosys"))
        return;
    // a comparison and a selection for each of four levels; a chain has fifteen
    CHECK(depth("max(k < 16, x[k])") == 2 * 4);
    CHECK(depth("sum(k < 16, x[k])") == 4);
    CHECK(depth("x[0] * x[1] * x[2] * x[3] * x[4] * x[5]") == 3);
    CHECK(depth("x[0] | x[1] | x[2] | x[3] | x[4]") == 3);
}
