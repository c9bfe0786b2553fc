// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// The sum of the last four samples. y is registered: it shows a sample in the cycle after it came.
// A sample before the first one counts as 0.
module window (
    input  wire       clk,
    input  wire       rst, // at 1 with a rising edge of clk: forget all samples
    input  wire [7:0] x,   // a sample in every cycle
    output reg  [9:0] y    // the sum
);
    reg [7:0] a, b, c;     // the samples before x; a is the newest

    always @(posedge clk)
        if (rst) begin
            {a, b, c} <= 24'd0;
            y <= 10'd0;
        end else begin
            {a, b, c} <= {x, a, b};
            y <= {2'b00, x} + {2'b00, a} + {2'b00, b} + {2'b00, c};
        end
endmodule

`default_nettype wire
