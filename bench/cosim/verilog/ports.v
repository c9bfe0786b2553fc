// SPDX-License-Identifier: Apache-2.0
//
// A parameterised number of ports with almost no logic, to measure the cost of the boundary.
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
