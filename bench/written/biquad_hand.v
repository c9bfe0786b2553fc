// SPDX-License-Identifier: Apache-2.0
module biquad (
    input wire clk,
    input wire rst,
    input wire signed [15:0] x,
    output reg signed [15:0] y
);
    reg signed [15:0] x1, x2, y1, y2;

    wire signed [35:0] sum = 16'sd1106 * x + 16'sd2210 * x1 + 16'sd1106 * x2 + 16'sd18727 * y1 - 16'sd6763 * y2;
    wire signed [35:0] near = (sum + 36'sd8192) >>> 14;
    wire signed [15:0] result = near > 32767 ? 16'h7fff : near < -32768 ? 16'h8000 : near[15:0];

    always @(posedge clk)
        if (rst)
            {x1, x2, y1, y2, y} <= 0;
        else begin
            x1 <= x;
            x2 <= x1;
            y1 <= result;
            y2 <= y1;
            y <= result;
        end
endmodule
