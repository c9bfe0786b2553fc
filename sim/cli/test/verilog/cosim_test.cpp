// SPDX-License-Identifier: Apache-2.0
//
// Compares second implementations with the first, through the command.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../cosim/half.hpp"

using namespace sme::test;

namespace {

/// 'half', in YAML and in Verilog.
const std::string network = [] {
    std::string text = half_network;
    return text.insert(text.find("  sink:\n"),
                       "    against:\n"
                       "      verilog: {files: half.v, top: half, reset: rst}\n");
}();

constexpr const char* verilog = R"(module half(input clk, input rst,
    input a_valid, input [7:0] a_data, output a_ready,
    output b_valid, output [7:0] b_data, input b_ready,
    output reg [15:0] total, output flag);
  reg open;
  assign b_valid = a_valid & open;
  assign b_data = a_data;
  assign a_ready = b_ready & open;
  assign flag = a_data[0];
  always @(posedge clk) begin
    open <= rst ? 1'b1 : ~open;
    total <= rst ? 16'd5 : a_valid & a_ready ? total + {8'd0, a_data} : total;
  end
endmodule
)";

Command cosim(const std::string& yaml, const std::string& v, const std::string& options) {
    return Folder{}.with("network.yaml", yaml).with("half.v", v).cosim(options);
}

} // namespace

TEST_CASE("implementations that agree are counted, with what moved") {
    for (const char* threads : {"1", "2"}) {
        const Command run =
            cosim(network, verilog, fmt::format("--cycles 300 --threads {}", threads));
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, "  agree        half and module 'half': 300 cycles, 4 of 4 outputs "
                                "moved\n"));
    }
}

TEST_CASE("an output that never moved is named") {
    const Command run = cosim(replaced(network, "flag: a.data[0]", "flag: false"),
                              replaced(verilog, "flag = a_data[0]", "flag = 1'b0"), "--cycles 300");
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "300 cycles, 3 of 4 outputs moved; not flag\n"));
}

TEST_CASE("the first difference has its cycle, bus, values and the inputs before it") {
    // total is one too large for a_data 9, that is for n = 3
    const Command run = cosim(network,
                              replaced(verilog, "total + {8'd0, a_data}",
                                       "total + {8'd0, a_data} + {15'd0, a_data == 8'd9}"),
                              "--cycles 300");
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "'total' is 23 by 'half', but 24 by module 'half' "
                            "[implementations-differ]"));
    CHECK(contains(run.err, "a = {valid: true, data: 9}"));
    CHECK(contains(run.err, "note: inputs in cycle "));
    CHECK(contains(run.out, "4 processes, 10 buses, ended by a difference\n"));
    CHECK(contains(run.out, "  DIFFER       half and module 'half': 'total' in cycle "));
}

TEST_CASE("each kind of output is compared: wires, back fields, registers") {
    for (const auto& [from, to, bus] :
         {std::tuple{"b_valid = a_valid & open", "b_valid = a_valid", "'b'"},
          std::tuple{"a_ready = b_ready & open", "a_ready = open", "'a.ready'"},
          std::tuple{"flag = a_data[0]", "flag = a_data[1]", "'flag'"},
          std::tuple{"rst ? 16'd5", "rst ? 16'd6", "'total'"}}) {
        const std::string changed = to; // clang cannot capture bindings
        CAPTURE(changed);
        const Command run = cosim(network, replaced(verilog, from, to), "--cycles 300");
        CHECK(run.exit_code == (std::string{bus} == "'total'" ? 2 : 1));
        CHECK(contains(run.err, bus));
    }
}

TEST_CASE("random values replace the network around, and find what it does not show") {
    const std::string wrong =
        replaced(verilog, "b_data = a_data", "b_data = a_data == 8'd255 ? 8'd254 : a_data");
    CHECK(cosim(network, wrong, "--cycles 60").exit_code == 0);
    const Command random = cosim(network, wrong, "--random 2000 --seed 1");
    CHECK(random.exit_code == 1);
    CHECK(contains(random.err, "data: 255}"));
    CHECK(cosim(network, wrong, "--random 2000 --seed 1").err == random.err);
    const Command right = cosim(network, verilog, "--random 2000 --seed 7");
    CHECK(right.exit_code == 0);
    CHECK(contains(right.out, "2000 cycles, 4 of 4 outputs moved"));
}

TEST_CASE("the models agree with the Verilog modules of hdl/rtl in every cycle") {
    for (const auto& [model, agrees] :
         {std::pair{"aes", "cipher and module 'aes_cipher': 509 cycles, 1 of 1 outputs moved"},
          std::pair{"sha256", "compress and module 'sha256_compress': 2050 cycles"},
          std::pair{"fir", "filter and module 'fir': 4096 cycles"},
          std::pair{"riscv", "core and module 'riscv_core': 231 cycles"},
          std::pair{"uart", "receiver and module 'uart_receiver': 63001 cycles, 1 of 3 outputs "
                            "moved; not framing_error, overrun"}}) {
        const Command run{fmt::format("cosim " SME_SOURCE_DIR "/models/{}/network.yaml", model)};
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, agrees));
        CHECK_FALSE(contains(run.out, "DIFFER"));
    }
}

TEST_CASE("networks agree with their own Verilog on every bus in every cycle") {
    for (const auto& [network, agrees] :
         {std::pair{"models/life/network.yaml", "life and its Verilog: 192 cycles, 48 of 48"},
          std::pair{"models/sort/network.yaml", "sort and its Verilog"},
          std::pair{"models/pipeline/network.yaml", "pipeline and its Verilog: 376 cycles, 6 of 6"},
          std::pair{"lib/std/test/memory_true_dual_port.yaml", "300 cycles, 10 of 10 outputs"},
          std::pair{"lib/std/test/delay_line.yaml", "200 cycles, 5 of 5 outputs"}}) {
        const std::string path = network; // clang cannot capture bindings
        CAPTURE(path);
        const Command run{fmt::format("cosim --self " SME_SOURCE_DIR "/{}", network)};
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, agrees));
        CHECK_FALSE(contains(run.out, "DIFFER"));
    }
    CHECK(Command{"cosim --self --random 5 " SME_SOURCE_DIR "/models/fir/network.yaml"}.exit_code ==
          2);
    const Scratch folder; // the error names the construct that has no hardware
    folder.write("network.yaml", "network: r\nbuses:\n  x: u8\nprocesses:\n  p:\n    out: x\n"
                                 "    step:\n      x: random(u8)\n");
    const Command refused{"cosim --self --cycles 5 " + folder.path("network.yaml")};
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "random"));
    folder.write("network.yaml", "network: r\nbuses:\n  x: u8\nprocesses:\n  p:\n    out: x\n"
                                 "    step:\n      x: random(u8) + random(u8) + random(u8)\n");
    const std::string once = Command{"cosim --self --cycles 5 " + folder.path("network.yaml")}.err;
    CHECK(once.find("error: ") == once.rfind("error: "));
    CHECK(contains(once, ":8:23: note: the same in 2 places more, this is the next"));
}

TEST_CASE("signed and fixed-point numbers of more than 64 bits agree with their own Verilog") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: wide
buses: {x: i100, y: i100, z: fixed(30, 50), q: fixed(30, 50)}
inputs: {x: random, z: random}
processes:
  p:
    in: {x: x, z: z}
    out: {y: y, q: q}
    step: {y: x / 7 + x % 13 - (x >> 3), q: saturate(z * 0.75 + z, fixed(30, 50), even)}
)");
    const Command run{"cosim --self --cycles 100 " + folder.path("network.yaml")};
    CAPTURE(run.err);
    CHECK(contains(run.out, "wide and its Verilog: 100 cycles, 2 of 2 outputs moved"));
    CHECK(run.exit_code == 0);
}

TEST_CASE("a part of a network is compared with its own Verilog") {
    const std::string cosim = "cosim --self " SME_SOURCE_DIR "/models/";
    for (const auto& [options, agrees] :
         {std::pair{"cpu/network.yaml --top alu", "alu and its Verilog"},
          std::pair{"running_sum/network.yaml --top accumulator",
                    "accumulator and its Verilog: 8 cycles, 1 of 1 outputs moved"}}) {
        const Command run{cosim + options};
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK_MESSAGE(contains(run.out, agrees), run.out);
    }
    CHECK(contains(Command{cosim + "fir/network.yaml --top nix"}.err, "--top: no component"));
    const Command alone{"cosim " SME_SOURCE_DIR "/models/fir/network.yaml --top fir"};
    CHECK(alone.exit_code == 2);
    CHECK(contains(alone.err, "chooses what --self compares"));
}

TEST_CASE("a process with two streams, or two channels, has a second implementation") {
    const Scratch folder;
    folder.write("two.v", R"(module two (input wire clk, input wire rst,
  input wire a_valid, input wire [7:0] a_data, output wire a_ready,
  input wire b_valid, input wire [7:0] b_data, output wire b_ready,
  output reg [7:0] sum);
  assign a_ready = 1'b1;
  assign b_ready = 1'b1;
  always @(posedge clk) sum <= !rst && a_valid && b_valid ? a_data + b_data : 8'd0;
endmodule
)");
    const std::string streams = R"(network: two_streams
import: [std/stream.yaml]
buses: {a: Stream(u8), b: Stream(u8), sum: u8}
processes:
  source:
    out: [a, b]
    state: {k: u8}
    step: {k: k + 1, a.valid: true, a.data: k, b.valid: "k[0]", b.data: k}
  add:
    in: [a, b]
    out: sum
    step:
      a.ready: true
      b.ready: true
      sum: a.data + b.data when a.valid and b.valid
    against:
      verilog: {files: two.v, top: two, reset: rst}
run: {cycles: 20}
)";
    const std::string channels = R"(network: two_channels
import: [other.yaml]
files:
  other.yaml:
    component: other
    import: [std/stream.yaml]
    in: {a: Stream(u8), b: Stream(u8)}
    out: {sum: u8}
    step:
      a.ready: a.valid and b.valid
      b.ready: a.valid and b.valid
      sum: a.data + b.data when a.valid and b.valid
channels: {a: u8, b: u8}
buses: {sum: u8}
processes:
  one: {out: {y: a}, state: {k: u8}, step: {y: k, k: k + 1}}
  two: {out: {y: b}, state: {k: u8}, step: {y: k, k: k + 3}}
  add:
    in: [a, b]
    out: sum
    step:
      sum: a + b
    against: {use: other}
run: {cycles: 20}
)";
    for (const std::string& text : {streams, channels}) {
        folder.write("network.yaml", text);
        const Command run = sme_in(folder, "cosim network.yaml");
        CHECK_MESSAGE(run.exit_code == 0, run.err);
        CHECK_MESSAGE(contains(run.out, "agree        add and "), run.out);
    }
}

TEST_CASE("a network without second implementations says what to write") {
    const Command run{"cosim " SME_SOURCE_DIR "/models/ring/network.yaml"};
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "no process has a second implementation; write 'against: "));
}

TEST_CASE("'against' with neither or both is an error") {
    const Command run = cosim(
        replaced(network, "verilog: {files: half.v, top: half, reset: rst}", "with: {depth: 3}"),
        verilog, "");
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "'against' has 'use', 'verilog' or 'waveform', one of "
                            "them [missing-key]"));
}
