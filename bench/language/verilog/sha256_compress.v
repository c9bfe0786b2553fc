// SPDX-License-Identifier: Apache-2.0
// 64 rounds per block, followed by the sum: the process `compress` of models/sha256.
`default_nettype none

module sha256_compress #(
    parameter K = "k.hex",                  // the constants of the rounds
    parameter START = "start.hex"           // the first hash
) (
    input  wire         clk,                // everything happens at its rising edge
    input  wire         round_valid,        // a round can be computed
    input  wire         round_last,         // in the last block
    input  wire [5:0]   round_number,       // which of the 64
    input  wire [31:0]  round_w,            // the round's word
    output reg          digest_valid,       // a message has ended
    output reg  [255:0] digest              // its hash, the first word leftmost
);
    reg [31:0] k [0:63];
    reg [31:0] start [0:7];
    reg [31:0] h0, h1, h2, h3, h4, h5, h6, h7;     // the hash of the blocks so far
    reg [31:0] a, b, c, d, e, f, g, h;

    function [31:0] large_0(input [31:0] x);
        large_0 = {x[1:0], x[31:2]} ^ {x[12:0], x[31:13]} ^ {x[21:0], x[31:22]};
    endfunction

    function [31:0] large_1(input [31:0] x);
        large_1 = {x[5:0], x[31:6]} ^ {x[10:0], x[31:11]} ^ {x[24:0], x[31:25]};
    endfunction

    wire [31:0]  t1 = h + large_1(e) + ((e & f) ^ (~e & g)) + k[round_number] + round_w;
    wire [31:0]  t2 = large_0(a) + ((a & b) ^ (a & c) ^ (b & c));
    wire [31:0]  next_a = t1 + t2;
    wire [31:0]  next_e = d + t1;
    wire         block_ends = round_valid && round_number == 6'd63;
    wire         message_ends = block_ends && round_last;
    wire [255:0] sums = {h0 + next_a, h1 + a, h2 + b, h3 + c, h4 + next_e, h5 + e, h6 + f, h7 + g};
    wire [255:0] first = {start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7]};
    wire [255:0] hash = message_ends ? first : sums;

    always @(posedge clk) begin
        digest_valid <= message_ends;
        digest <= message_ends ? sums : 256'd0;
        if (block_ends) begin
            {h0, h1, h2, h3, h4, h5, h6, h7} <= hash;
            {a, b, c, d, e, f, g, h} <= hash;
        end else if (round_valid)
            {a, b, c, d, e, f, g, h} <= {next_a, a, b, c, next_e, e, f, g};
    end

    initial begin
        $readmemh(K, k);
        $readmemh(START, start);
        {h0, h1, h2, h3, h4, h5, h6, h7} = {start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7]};
        {a, b, c, d, e, f, g, h} = {start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7]};
        digest_valid = 1'b0;
        digest = 256'd0;
    end
endmodule
