// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

namespace sme::test {

inline constexpr const char* module_v =
    R"(module m(input clk, input rst, input [7:0] x, input signed [3:0] s,
         output reg [7:0] y, output [7:0] z);
  assign z = x;
  always @(posedge clk) y <= rst ? 8'd0 : x;
endmodule
)";

/// A network with one module; tests replace some of its lines.
struct Wrong {
    std::string verilog = module_v;
    std::string module = "{files: m.v, top: m, reset: rst}";
    std::string in = "{x: x, s: s}";
    std::string out = "{y: y, z: z}";
    std::string y = "u8", z = "wire u8", s = "i4";
    std::string before = ""; // environment variables of the command
    std::string options = "";
    std::string after = ""; // further checks
    std::string file = "m.v";
    std::shared_ptr<Scratch> folder = std::make_shared<Scratch>();

    Command run() const {
        write();
        return Command{fmt::format("cd {} && {} {} run network.yaml --cycles 5 {}", folder->path(),
                                   before, SME_COMMAND, options),
                       Command::any_program};
    }
    void write() const {
        folder->write(file, verilog);
        folder->write("network.yaml", fmt::format(R"(network: n
buses:
  x: u8
  s: {}
  y: {}
  z: {}
processes:
  source:
    out: [x, s]
    step:
      x: x + 1
      s: 1
  p:
    verilog: {}
    in: {}
    out: {}
checks:
  - cover: u8(y) != 0 and u8(z) != 0
{})",
                                                  s, y, z, module, in, out, after));
    }
};

inline void refused(const Command& run, int code, const std::string& message) {
    CAPTURE(run.err);
    CHECK(run.exit_code == code);
    CHECK(contains(run.err, message));
}

} // namespace sme::test
