// SPDX-License-Identifier: Apache-2.0
//
// The process `alu` of models/cpu.
`default_nettype none

module cpu_alu (
    input  wire        clk,                 // everything happens at its rising edge
    input  wire [15:0] a,
    input  wire [15:0] b,
    input  wire [2:0]  operation,           // 0 zero, + - and or xor, shift right, 7 the right operand
    input  wire        takes_constant,      // replaces b
    input  wire [15:0] constant,
    output reg  [15:0] value,
    output reg         equal,
    output reg         less                 // the right operand is, signed
);
    wire [15:0] right = takes_constant ? constant : b;

    always @(posedge clk) begin
        equal <= a == right;
        less <= $signed(right) < $signed(a);
        case (operation)
            3'd0: value <= 16'd0;
            3'd1: value <= a + right;
            3'd2: value <= a - right;
            3'd3: value <= a & right;
            3'd4: value <= a | right;
            3'd5: value <= a ^ right;
            3'd6: value <= a >> right;
            default: value <= right;
        endcase
    end

    initial begin
        value = 16'd0;
        equal = 1'b0;
        less = 1'b0;
    end
endmodule

`default_nettype wire
