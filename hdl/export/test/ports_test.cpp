// SPDX-License-Identifier: Apache-2.0
//
// Structs at ports: a vector per field, or with --packed one for the whole struct.
#include <doctest/doctest.h>

#include "examples.hpp"

namespace {

using namespace sme::test;

/// Nested structs, families, delays and initial values, and a Verilog module with whole structs at
/// its ports.
constexpr const char* structs = R"(network: structs
types:
  Point: {x: i8, y: i8}
  Item:
    valid: bool
    at: Point
    tags: u4[2]
buses:
  made[k < 3]: Item
  late: delay 3 hold Item = Item(valid = true, at = Point(x = -3, y = 5))
  turned[k < 3]: Item
  seen: wire Point
  total: u8
processes:
  make[k < 3]:
    out: made[k]
    state: {n: u8}
    step:
      n: n + 1
      made:
        valid: n[0]
        at: Point(x = i8(n) - 1, y = k)
        tags: array(i < 2, if i == 0 then u4(k) else n[3:0])
  turn[k < 3]:
    in:
      item: made[k]
    out:
      turned: turned[k]
    verilog: {files: turn.v, top: turn}
  judge:
    in: turned
    out: [late, seen, total]
    let:
      some: turned[1]
    step:
      late: turned[2] when turned[2].valid
      if turned[0].valid:
        late.tags[0]: 7
      seen: some.at
      total: u8(sum(k < 3, u4(turned[k].tags[1]))) + u8(late.at.x)
run: {cycles: 40}
)";

constexpr const char* turn = R"(`default_nettype none
module turn (
    input  wire        clk,
    input  wire [24:0] item,   // valid, x, y, tags
    output reg  [24:0] turned  // x and y change places
);
    initial turned = 0;
    always @(posedge clk)
        turned <= {item[24], item[15:8], item[23:16], item[7:0]};
endmodule
)";

} // namespace

TEST_CASE("each field of a struct is a port, or with --packed the whole struct is one") {
    const Scratch folder;
    folder.write("structs.yaml", structs);
    folder.write("turn.v", turn);
    const ExportedNetwork fields{folder.path("structs.yaml")};
    CAPTURE(fields.written.err);
    CHECK(fields.icarus() == "PASS: 40 cycles\n");
    CHECK(fields.yosys() == "");
    CHECK(contains(fields.text("judge.v"), "output reg [15:0] late_at,\n"));
    CHECK(contains(fields.text("judge.v"), "// late_at is {x[7:0], y[7:0]}\n"));
    CHECK(contains(fields.text("structs.v"), ".item({made_valid[k_2], made_at[k_2 * 16 +: 16], "
                                             "made_tags[k_2 * 8 +: 8]})"));
    const ExportedNetwork packed{folder.path("structs.yaml") + " --packed"};
    CAPTURE(packed.written.err);
    CHECK(packed.icarus() == "PASS: 40 cycles\n");
    CHECK(contains(packed.text("judge.v"), "output reg [24:0] late,\n"));
    CHECK(contains(packed.text("structs.v"), ".item(made[k_2 * 25 +: 25])"));
}

TEST_CASE("what nothing reads is left out, or is listed where it cannot be") {
    const Scratch folder;
    folder.write("unread.yaml", R"(network: unread
buses:
  a: u16
  b: u8
processes:
  source:
    out: a
    state:
      n: u16
      log: u8[4]
    step:
      n: n + 3
      log[n[1:0]]: n[7:0]
      a: n
  sink:
    in: a
    out: b
    let:
      low: a[7:0]
      even: not a[0]
      fine: even or a[1]
    step:
      assert: fine or not fine
      b: u8(low[6:3]) + 1
run: {cycles: 20}
)");
    const ExportedNetwork exported{folder.path("unread.yaml")};
    CAPTURE(exported.written.err);
    CHECK(exported.icarus() == "PASS: 20 cycles\n");
    CHECK(exported.lint() == "");
    CHECK_FALSE(contains(exported.text("sink.v"), "even"));
    CHECK(contains(exported.text("sink.v"), "wire unused = &{1'b0, a[15:8], low[2:0], low[7]};"));
    CHECK(contains(exported.text("source.v"), "wire unused = &{1'b0, log[0]};"));
}

TEST_CASE("a state whose first value nothing can see is not reset") {
    const Scratch folder;
    folder.write("unseen.yaml", R"(network: unseen
buses:
  a: u16
  b: u16
processes:
  source:
    out: a
    state:
      n: u16
    step:
      n: n + 3
      a: n
  worker:
    in: a
    out: b
    state:
      round: u2
      taken: u16[2]
      count: u8
      kept: u16
    let:
      busy: round != 0
    step:
      if busy:
        round: round + 1
        taken: array(i < 2, taken[1 - i] ^ 1)
        b: taken[0] + kept
      else:
        round: 1 when a[0]
        taken: array(i < 2, a + u16(i))
        kept: a when a[1]
      count: count + 1
run: {cycles: 40}
)");
    const ExportedNetwork exported{folder.path("unseen.yaml")};
    CAPTURE(exported.written.err);
    CHECK(exported.icarus() == "PASS: 40 cycles\n");
    const std::string worker = exported.text("worker.v");
    CHECK_FALSE(contains(worker, "taken <= 32'd0")); // an idle cycle takes both words
    CHECK(contains(worker, "kept <= 16'd0"));        // keeps its value if a[1] is false
    CHECK(contains(worker, "count <= 8'd0"));
    CHECK(contains(worker, "round <= 2'd0"));
    // the first, nonzero instruction passes through an array of flags
    const ExportedNetwork core{SME_SOURCE_DIR "/models/riscv/pipelined.yaml --top core"};
    CHECK(core.icarus() == "PASS: 233 cycles\n");
    CHECK(contains(core.text("core.v"), "newer <= 4'd0"));
    CHECK_FALSE(contains(core.text("core.v"), "computed <= 32'd0"));
}

TEST_CASE("a hint says which read keeps a memory from block RAM") {
    const Scratch folder;
    folder.write("late.yaml", R"(network: late
buses:
  read: u16
processes:
  store:
    out: read
    state:
      mem: u16[512]
      small: u16[8]
      at: u9
    let:
      word: mem[at + 5]
    step:
      at: at + 1
      mem[at]: word + 1
      small[at[2:0]]: word
      read: small[at[5:3]] + word
run: {cycles: 4}
)");
    const Command written{"verilog " + folder.path("late.yaml") + " --report -o " +
                          folder.path("out")};
    CHECK(contains(written.out, "\nhint: 'mem' of 'store' is read within a cycle, by 'word'; block "
                                "RAM needs a state that takes the word as it is\n"));
    CHECK_FALSE(contains(written.out, "'small'"));
}

TEST_CASE("a state that one word of a wide number hides is reset") {
    const Scratch folder;
    folder.write("hidden.yaml", R"(network: hidden
buses: {a: u8, y: u70}
processes:
  p:
    out: [a, y]
    state: {s: u8}
    step:
      a: a + 1
      s: a
      y: max(u70(a), 0x100000000000000000, u70(s))
run: {cycles: 5}
)");
    const ExportedNetwork exported{folder.path("hidden.yaml")};
    CHECK(exported.icarus() == "PASS: 5 cycles\n");
}

TEST_CASE("bits of a family that no member reads are named") {
    const Scratch folder;
    folder.write("tail.yaml", R"(network: tail
buses:
  z[k < 3]: u4
  y[k < 3]: u4
processes:
  first:
    out: {a: "z[0]", b: "y[0]"}
    state: {n: u4}
    step:
      n: n + 1
      a: n
      b: n
  rest[k < 2]:
    in: {z: "z[k]", y: "y[k]"}
    out: {nz: "z[k + 1]", ny: "y[k + 1]"}
    step:
      nz: z + 1
      ny: y + z
checks:
  - after 5: y[2] != y[0]
run: {cycles: 10}
)");
    const ExportedNetwork exported{folder.path("tail.yaml")};
    CAPTURE(exported.written.err);
    CHECK(exported.icarus() == "PASS: 10 cycles\n");
    CHECK(exported.lint() == "");
    CHECK(contains(exported.text("tail.v"), "wire unused = &{1'b0, z[11:8]};"));
}
