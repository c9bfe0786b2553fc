// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// y is 1 for a cycle when x has become 1.
module pulse (
    input  wire clk,
    input  wire rst, // at 1 with a rising edge of clk: x counts as having been 0
    input  wire x,
    output reg  y    // registered: a cycle after x rose
);
    reg last; // x in the cycle before

    always @(posedge clk)
        if (rst) begin
            last <= 1'b0;
            y <= 1'b0;
        end else begin
            last <= x;
            y <= x && !last;
        end
endmodule

`default_nettype wire
