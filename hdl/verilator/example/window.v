// SPDX-License-Identifier: Apache-2.0
//
// The sum of the last four samples, and whether it is larger than `limit`.
`default_nettype none

module window #(
    parameter limit = 100
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [7:0]  sample,
    output reg  [9:0]  total,   // a register
    output wire        loud     // follows the sample within the cycle
);
    reg [7:0] past [0:2];
    wire [9:0] sum = {2'b0, sample} + {2'b0, past[0]} + {2'b0, past[1]} + {2'b0, past[2]};

    assign loud = sum > limit[9:0];

    integer k;
    always @(posedge clk)
        if (rst) begin
            total <= 0;
            for (k = 0; k < 3; k = k + 1)
                past[k] <= 0;
        end else begin
            total <= sum;
            past[0] <= sample;
            past[1] <= past[0];
            past[2] <= past[1];
            if (loud)
                $display("%0d is loud", sum);
        end
endmodule

`default_nettype wire
