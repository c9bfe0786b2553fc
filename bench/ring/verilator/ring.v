// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// A ring of NODES nodes; node k reads the output of node k - 1.
module ring #(
    parameter NODES = 10 // number of nodes, at least 1
) (
    input  wire        clk,  // the clock
    output wire [31:0] token // the output of node 0
);
    assign token = node[0].y;

    genvar k;
    generate
        for (k = 0; k < NODES; k = k + 1) begin : node
            wire [31:0] y; // the token of this node
            ring_node step (.clk(clk), .x(node[(k + NODES - 1) % NODES].y), .y(y));
        end
    endgenerate
endmodule

`default_nettype wire
