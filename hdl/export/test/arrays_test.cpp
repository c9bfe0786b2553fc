// SPDX-License-Identifier: Apache-2.0
//
// array(k < n, e): elements that differ only in the index become a loop in the text.
#include <doctest/doctest.h>

#include "examples.hpp"
#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

/// Returns a network of one process with these lines; its source of bytes is `x`, its output `y`.
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
    explicit Both(const std::string& text, unsigned cycles = 100) {
        const std::string passed = fmt::format("PASS: {} cycles", cycles);
        folder.write("arrays.yaml", text);
        verilog = std::make_unique<ExportedNetwork>(folder.path("arrays.yaml"));
        vhdl = std::make_unique<ExportedVhdl>(folder.path("arrays.yaml"));
        CAPTURE(verilog->written.err);
        REQUIRE(verilog->written.exit_code == 0);
        REQUIRE(vhdl->written.exit_code == 0);
        if (!skip("iverilog"))
            CHECK(verilog->icarus() == passed + "\n");
        if (!skip("verilator"))
            CHECK(verilog->lint() == "");
        if (!skip("yosys"))
            CHECK(verilog->yosys() == "");
        if (!skip("ghdl")) {
            CHECK(contains(vhdl->ghdl(), passed));
            CHECK(vhdl->synthesis() == "");
        }
    }
    Scratch folder;
    std::unique_ptr<ExportedNetwork> verilog;
    std::unique_ptr<ExportedVhdl> vhdl;
};

/// Counts the occurrences of a word in a text.
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

TEST_CASE("arrays over two ranges, and arrays of arrays, are loops within loops") {
    const Both both{network(R"(    let:
      flat: array(i < 4, j < 4, x[4 * j + i] + (x[i] >> j))
      rows: array(i < 4, array(j < 4, flat[4 * i + j] * 3 + x[(i + j) % 16]))
      edges: array(i < 4, j < 4, if j == 3 then x[i] else rows[i][j] + flat[4 * i + j])
      same: array(i < 4, array(j < 4, x[4 * i + j]))
      wide: array(i < 4, array(j < 5, if j == 0 then same[i][0] else rows[3 - i][j - 1]))
      deep: array(i < 2, j < 2, k < 4, edges[8 * i + 4 * j + k] + (if i == 1 then k else 7))
    step:
      y: array(i < 4, j < 4, deep[4 * i + j] ^ wide[i][j] ^ wide[i][j + 1])
)")};
    const std::string text = both.verilog->text("work.v");
    CHECK(contains(text, R"(
        for (i = 0; i < 4; i = i + 1) begin : rows_each
            for (j = 0; j < 4; j = j + 1) begin : rows_each_2
                assign rows[i * 32 + j * 8 +: 8] = flat[(4 * i + j) * 8 +: 8] * 8'd3 + x[(i + j) %
                    16 * 8 +: 8];
            end
        end
)"));
    // the last column of each row has another expression, in its own loop
    CHECK(contains(text, R"(            for (j = 0; j < 3; j = j + 1) begin : edges_each_2
)"));
    CHECK(contains(text, R"(        for (i = 0; i < 4; i = i + 1) begin : edges_each_3
            assign edges[(i * 4 + 3) * 8 +: 8] = x[i * 8 +: 8];
        end
)"));
    CHECK(contains(text, "            for (j = 1; j < 5; j = j + 1) begin : wide_each_2\n"));
    CHECK(contains(text, "            assign wide[i * 40 +: 8] = same[i * 32 +: 8];\n"));
    CHECK_FALSE(contains(text, "begin : same_each")); // slices need no loop
    CHECK(contains(both.vhdl->text("work.vhd"), R"(
    flat_each : for i in 0 to 3 generate
        flat_each_2 : for j in 0 to 3 generate
)"));
}

TEST_CASE("loops within loops have signals of their own, and are loops of a function") {
    const Both both{network(R"(    let:
      high: array(i < 4, j < 4, (x[4 * i + j] * x[4 * j + i])[7:4])
      odd: array(i < 4, array(j < 4, if i == 2 and j == 1 then at else high[4 * i + j] + 1))
    step:
      y: array(i < 4, j < 4, u8(odd[i][j]) + turned(x)[4 * i + j])
)",
                            R"(functions:
  turned(a): array(i < 4, j < 4, (a[4 * j + i] * 5)[7:0] ^ u8(i))
)")};
    const std::string text = both.verilog->text("work.v");
    CHECK(contains(text, "                wire [7:0] whole_1 = "));
    CHECK(contains(text, "                wire unused_here = &{1'b0, whole_1[3:0]};\n"));
    CHECK(contains(text, R"(            for (i_2 = 0; i_2 < 4; i_2 = i_2 + 1) begin
                for (j_2 = 0; j_2 < 4; j_2 = j_2 + 1) begin
)"));
    CHECK(contains(text, R"(        for (i = 0; i < 2; i = i + 1) begin : odd_each
            for (j = 0; j < 4; j = j + 1) begin : odd_each_2
                assign odd[i * 16 + j * 4 +: 4] = high[(4 * i + j) * 4 +: 4] + 4'd1;
)"));
    CHECK(contains(both.vhdl->text("work.vhd"), "signal whole_1 : unsigned(7 downto 0);"));
}

TEST_CASE("the cycle in which a process faults is not compared, as its wires have no values") {
    const Both both{R"yaml(network: late
buses:
  at: u4
  y: wire u8
processes:
  source:
    out: at
    step: {at: at + 1}
  work:
    in: at
    out: y
    state: {x: 'u8[6] = [5, 6, 7, 8, 9, 10]'}
    step: {y: 'x[at]'}
run: {cycles: 100}
)yaml",
                    6};
}

TEST_CASE("elements by a computed index are selected and assigned without a multiplier") {
    const Both both{R"yaml(network: arrays
types: {Flit: {last: bool, data: u16}}
buses:
  x[4]: Flit
  z[3, 3]: u5
  at: u4
  y: Flit
  w: u17[4]
  v: u5
  o: u8[4]
processes:
  source[k < 4]:
    out: {x: "x[k]"}
    state: {s: u16}
    step:
      s: s + (s << 2) + u16(k) + 1
      x.last: s[9]
      x.data: s
  other[j < 3, k < 3]:
    out: {z: "z[j, k]"}
    step: {z: z + u5(3 * j + k + 1)}
  turn: {out: at, state: {n: u8}, step: {n: n + 7, at: "n[7:4]"}}
  mux:
    in:
      x: x
      z[j < 3, k < 3]: z[j, k]
      at: at
    out: [y, v, w, o]
    let:
      place: if at < 12 then at[3:2] else 0
    step:
      y.last: x[at[1:0]].last
      y.data: x[at[3:2]].data + 1
      v: z[place, place]
      w[at[1:0]]: u17(x[at[3:2]].data) + 1
      o[at[1:0]][3:0]: at
run: {cycles: 100}
)yaml"};
    if (!skip("yosys"))
        CHECK(both.verilog->yosys("synth_ecp5 -top arrays; select -assert-none t:MULT18X18D; "
                                  "select -assert-max 200 t:LUT4") == "");
}
