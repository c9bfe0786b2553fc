// SPDX-License-Identifier: Apache-2.0
// Adds x + 1 in each cycle, from 3 on.
module tally (
    input wire clk,
    input wire rst,
    input wire [7:0] x,
    output reg [15:0] sum,
    output wire [8:0] next
);
    wire [8:0] ahead = {1'b0, x} + 9'd1;
    reg [3:0] seen;
    assign next = ahead;
    always @(posedge clk)
        if (rst) begin
            sum <= 3;
            seen <= 0;
        end else begin
            sum <= sum + {7'b0, ahead};
            seen <= seen + 1;
        end
endmodule
