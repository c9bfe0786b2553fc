// SPDX-License-Identifier: Apache-2.0
//
// A filter of `count` taps over 16-bit samples: the process `filter` of models/fir.
//
// x is {valid, value[15:0]}, y {valid, value[31:0]}, a register. A valid sample in cycle t gives in
// t + 1 the sum of taps[k] * (the sample k valid ones ago); without a valid sample, y is 0 and the
// filter holds its state. The filter has the transposed form: every sample is multiplied by all
// taps at once, and the partial sums move along, so the longest path is one product and one
// addition.
`default_nettype none

module fir #(
    parameter count = 16,               // taps, 2 or more
    parameter [16*count-1:0] taps =     // signed, 16 bits each, the first rightmost
        {-16'sd65, -16'sd189, -16'sd372, -16'sd229, 16'sd844, 16'sd3055, 16'sd5739, 16'sd7601,
         16'sd7601, 16'sd5739, 16'sd3055, 16'sd844, -16'sd229, -16'sd372, -16'sd189, -16'sd65}
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [16:0] x,               // {valid, value}: a sample
    output reg  [32:0] y                // {valid, value}: a result
);
    wire               valid = x[16];
    wire signed [15:0] sample = x[15:0];

    // Partial sum k, from 1 on, is the contribution of the samples so far to the result k - 1
    // samples later.
    wire [32*count+31:32] partial;
    wire signed [31:0]    result;
    assign partial[32*count +: 32] = 32'd0;

    genvar k;
    generate
        for (k = 0; k < count; k = k + 1) begin : tap
            wire signed [15:0] weight = taps[16*k +: 16];
            wire signed [31:0] product = weight * sample;
            wire signed [31:0] sum = product + $signed(partial[32*(k+1) +: 32]);
            if (k == 0) begin : near
                assign result = sum;
            end else begin : far
                reg signed [31:0] held;
                assign partial[32*k +: 32] = held;
                always @(posedge clk)
                    if (rst)
                        held <= 32'sd0;
                    else if (valid)
                        held <= sum;
            end
        end
    endgenerate

    always @(posedge clk)
        if (rst || !valid)
            y <= 33'd0;
        else
            y <= {1'b1, result};
endmodule

`default_nettype wire
