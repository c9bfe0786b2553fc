// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of RV32I's integer instructions on two operands. Combinational.
`default_nettype none

module riscv_alu (
    input  wire [31:0] a,
    input  wire [31:0] b,
    input  wire [2:0]  kind,            // funct3
    input  wire        subtract,        // instead of adding
    input  wire        arithmetic,      // keep the sign when shifting right
    output reg  [31:0] y
);
    wire [31:0] sign = (arithmetic && a[31]) ? ~(32'hffff_ffff >> b[4:0]) : 32'd0;

    always @*
        case (kind)
            3'd0: y = subtract ? a - b : a + b;
            3'd1: y = a << b[4:0];
            3'd2: y = {31'd0, $signed(a) < $signed(b)};
            3'd3: y = {31'd0, a < b};
            3'd4: y = a ^ b;
            3'd5: y = (a >> b[4:0]) | sign;
            3'd6: y = a | b;
            3'd7: y = a & b;
        endcase
endmodule

`default_nettype wire
