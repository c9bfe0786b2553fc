// SPDX-License-Identifier: Apache-2.0
//
// As many ports as are asked for, and next to nothing behind them: what is measured is the boundary.
`default_nettype none

module ports (
    input  wire        clk,
    input  wire        rst,
@INPUTS@
@OUTPUTS@
    input  wire        unused
);
    always @(posedge clk) begin
@STEPS@
    end
endmodule

`default_nettype wire
