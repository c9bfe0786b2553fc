// SPDX-License-Identifier: Apache-2.0
module counter #(parameter step = 1) (input clk, input rst, output reg [15:0] count);
    always @(posedge clk)
        count <= rst ? 0 : count + step[15:0];
endmodule
