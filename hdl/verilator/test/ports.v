// SPDX-License-Identifier: Apache-2.0
//
// A port of every shape, for class_test.cpp.
`include "ports.vh"
`default_nettype none
`timescale 1ns/1ps

module ports #(
    parameter step = 1
) (
    input  wire               clk,
    input  wire               reset_n,
    input  wire signed [11:0] level,
    input  wire [31:0]        bytes,    // four
    input  wire [16:0]        sample,   // a flag and 16 bits
    input  wire [99:0]        wide,
    input  wire               template, // a word of C++
    output reg  signed [11:0] total,    // of the levels
    output reg  [31:0]        swapped,  // the bytes, the first last
    output reg  [16:0]        kept,     // the last sample with a flag
    output wire [99:0]        flipped,  // follows wide within the cycle
    output reg  [7:0]         count,    // 100 after the reset
    output reg  [31:0]        noise,
    output reg  [63:0]        now
);
    reg [7:0] steps;

    assign flipped = template ? ~wide : wide;

    final
        if ($test$plusargs("loud"))
            $write("stopped at %0d", count);

    always @(posedge clk)
        if (!reset_n) begin
            total <= 0;
            swapped <= 0;
            kept <= 0;
            count <= 100;
            steps <= 0;
        end else begin
            total <= total + level;
            swapped <= {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
            kept <= sample[16] ? sample : kept;
            count <= count + step[7:0] * 8'd`twice;
            steps <= steps + 1;
            noise <= $random;
            now <= $time;
            if ($test$plusargs("loud") && steps == 2)
                $display("count is %0d", count);
            if (level == -2048)
                $finish;
            if (level == 2047)
                $fatal(1, "level %0d is too high", level);
        end
endmodule

`default_nettype wire
