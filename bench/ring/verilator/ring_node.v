// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Adds one to the token at every rising edge and passes it on.
module ring_node (
    input  wire        clk, // the clock
    input  wire [31:0] x,   // the token of the previous node
    output reg  [31:0] y    // the token passed on
);
    initial y = 32'd0;
    always @(posedge clk) y <= x + 32'd1;
endmodule

`default_nettype wire
