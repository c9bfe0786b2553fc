// SPDX-License-Identifier: Apache-2.0
//
// array(k < n, e): elements that differ in the index only are a loop in the text.
#include <doctest/doctest.h>

#include "examples.hpp"
#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

/// A network of one process of these lines; its source of bytes is `x`, its output `y`.
std::string network(const std::string& lines, const std::string& before = "") {
    return fmt::format(R"yaml(network: arrays
{}buses:
  x: u8[16]
  at: u4
  y: u8[16]
processes:
  source:
    out: [x, at]
    state: {{s: u64 = 0x123456789abcdef1}}
    step:
      s: s ^ (s << 13) ^ (s >> 7) ^ (s << 17)
      x: array(k < 16, u8(s >> (3 * k)))
      at: s[63:60]
  work:
    in: [x, at]
    out: y
{}
run: {{cycles: 100}}
)yaml",
                       before, lines);
}

struct Both {
    explicit Both(const std::string& text) {
        folder.write("arrays.yaml", text);
        verilog = std::make_unique<ExportedNetwork>(folder.path("arrays.yaml"));
        vhdl = std::make_unique<ExportedVhdl>(folder.path("arrays.yaml"));
        CAPTURE(verilog->written.err);
        REQUIRE(verilog->written.exit_code == 0);
        REQUIRE(vhdl->written.exit_code == 0);
        if (!skip("iverilog"))
            CHECK(verilog->icarus() == "PASS: 100 cycles\n");
        if (!skip("verilator"))
            CHECK(verilog->lint() == "");
        if (!skip("yosys"))
            CHECK(verilog->yosys() == "");
        if (!skip("ghdl")) {
            CHECK(contains(vhdl->ghdl(), "PASS: 100 cycles"));
            CHECK(vhdl->synthesis() == "");
        }
    }
    Scratch folder;
    std::unique_ptr<ExportedNetwork> verilog;
    std::unique_ptr<ExportedVhdl> vhdl;
};

/// How often a word stands in a text.
std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++found;
    return found;
}

} // namespace

TEST_CASE("elements that differ in the index only are a generate loop") {
    const Both both{network(R"(    let:
      turned: array(i < 16, x[(5 * i + 3) % 16] ^ x[i])   # each by itself
    step:
      y: array(i < 16, turned[15 - i] + (turned[i] >> (i / 4)))
)")};
    const std::string text = both.verilog->text("work.v");
    CHECK(contains(text, R"(
    wire [127:0] turned; // each by itself
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : turned_each
            assign turned[i * 8 +: 8] = x[(5 * i + 3) % 16 * 8 +: 8] ^ x[i * 8 +: 8];
        end
    endgenerate
    wire [127:0] y_next;
    generate
        for (i = 0; i < 16; i = i + 1) begin : y_next_each
            assign y_next[i * 8 +: 8] = turned[(15 - i) * 8 +: 8] + (turned[i * 8 +: 8] >> (i / 4));
        end
    endgenerate
)"));
    CHECK(contains(text, "y <= y_next;"));
    CHECK(contains(both.vhdl->text("work.vhd"), R"(
    turned_each : for i in 0 to 15 generate
        turned(i * 8 + 7 downto i * 8) <= x((5 * i + 3) rem 16 * 8 + 7 downto (5 * i + 3) rem 16 *
            8) xor x(i * 8 + 7 downto i * 8);
    end generate;
)"));
}

TEST_CASE("an element that differs in more stands by itself beside the loop") {
    const Both both{network(R"(    state:
      line: u8[15]
    let:
      sums: array(i < 16, x[i] * 3 + (if i == 15 then 1 else line[i]))
    step:
      line: array(i < 15, sums[i + 1])
      y: sums
)")};
    const std::string text = both.verilog->text("work.v");
    CHECK(contains(text, "for (i = 0; i < 15; i = i + 1) begin : sums_each"));
    CHECK(contains(text, "assign sums[127:120] = x[127:120] * 8'd3 + 8'd1;"));
    CHECK(contains(text, "line <= {sums[127:8]};")); // one slice needs no loop
    CHECK(count(text, "* 8'd3") == 2);
}

TEST_CASE("elements of four kinds are written one by one") {
    const Both both{network(R"(    step:
      y: array(i < 16, if i % 4 == 0 then x[i] + 1 elif i % 4 == 1 then x[i] & 7 else x[i] * x[i])
)")};
    CHECK(count(both.verilog->text("work.v"), "generate") == 0);
}

TEST_CASE("a loop has signals of its own, of which some bits are not read") {
    const Both both{network(R"(    state:
      table: u8[16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
    let:
      high: array(i < 16, (x[i] * square[i])[7:4])
    step:
      y: array(i < 16, u8(high[i]) + (if at == i then table[i] else double(x[i], i)))
      table[at]: x[0]
)",
                            R"(constants:
  square: u8[16] = [0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225]
functions:
  double(a, k): 2 * a + k
)")};
    const std::string text = both.verilog->text("work.v");
    CHECK(contains(text, "wire [7:0] square_1 = square(i[3:0]);"));
    CHECK(contains(text, "wire unused_here = &{1'b0, whole_1[3:0]};"));
    CHECK(contains(text, "at == i[3:0] ? table_[i] :"));
    CHECK(contains(both.vhdl->text("work.vhd"), "signal whole_1 : unsigned(7 downto 0);"));
}

TEST_CASE("a function has a loop of statements") {
    const Both both{network("    step:\n      y: mixed(x)\n", R"(functions:
  mixed(a): array(i < 16, (a[i] * a[(i + 1) % 16])[7:0] ^ a[15 - i])
)")};
    const std::string text = both.verilog->text("work.v");
    CHECK(contains(text, "for (i = 0; i < 16; i = i + 1) begin"));
    CHECK(count(text, "a[(15 - i) * 8") == 1);
    CHECK(contains(both.vhdl->text("work.vhd"), "for i in 0 to 15 loop"));
}
