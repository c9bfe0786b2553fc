// SPDX-License-Identifier: Apache-2.0
//
// The rounds of SHA-256, one per cycle, and the hash (FIPS 180-4, 6.2.2, steps 2 to 4): the process
// `compress` of models/sha256.
//
// round is {valid, last, number[5:0], w[31:0]}, digest {valid, words[255:0]}, word i in bits
// 32*i+31 to 32*i. The digest comes in the cycle after round 63 of a message's last block; in all
// other cycles digest is 0. Round 0 of the next block may follow immediately.
`default_nettype none

module sha256_compress (
    input  wire         clk,
    input  wire         rst,
    input  wire [39:0]  round,
    output reg  [256:0] digest          // registered
);
    localparam [255:0] start =          // FIPS 180-4, 5.3.3; word 0 rightmost
        256'h5be0cd19_1f83d9ab_9b05688c_510e527f_a54ff53a_3c6ef372_bb67ae85_6a09e667;

    reg [255:0] hash;                   // of the blocks so far
    reg [31:0]  a, b, c, d, e, f, g, h;

    wire        valid = round[39];
    wire [5:0]  number = round[37:32];
    wire        block_ends = valid && number == 6'd63;
    wire        message_ends = block_ends && round[38];
    wire [31:0] k;

    sha256_constants constants (.number(number), .k(k));

    function [31:0] large_0;
        input [31:0] x;
        large_0 = {x[1:0], x[31:2]} ^ {x[12:0], x[31:13]} ^ {x[21:0], x[31:22]};
    endfunction

    function [31:0] large_1;
        input [31:0] x;
        large_1 = {x[5:0], x[31:6]} ^ {x[10:0], x[31:11]} ^ {x[24:0], x[31:25]};
    endfunction

    wire [31:0] t1 = h + large_1(e) + ((e & f) ^ (~e & g)) + k + round[31:0];
    wire [31:0] t2 = large_0(a) + ((a & b) ^ (a & c) ^ (b & c));

    wire [255:0] next = {g, f, e, d + t1, c, b, a, t1 + t2};
    wire [255:0] sums;
    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : words
            assign sums[32*i +: 32] = hash[32*i +: 32] + next[32*i +: 32];
        end
    endgenerate

    always @(posedge clk)
        if (rst || message_ends) begin
            hash <= start;
            {h, g, f, e, d, c, b, a} <= start;
        end else if (block_ends) begin
            hash <= sums;
            {h, g, f, e, d, c, b, a} <= sums;
        end else if (valid)
            {h, g, f, e, d, c, b, a} <= next;

    always @(posedge clk)
        if (rst || !message_ends)
            digest <= 257'd0;
        else
            digest <= {1'b1, sums};
endmodule

`default_nettype wire
