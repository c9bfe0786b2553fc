// SPDX-License-Identifier: Apache-2.0
//
// sha256_compress with the rounds of "abc" from rounds.hex: NIST's digest comes after the last
// round, twice in a row, with and without pauses, and at no other time; not after a block that is
// not the last.
module sha256_compress_test;
    localparam [255:0] abc =            // word 0 leftmost
        256'hba7816bf_8f01cfea_414140de_5dae2223_b00361a3_96177a9c_b410ff61_f20015ad;
    reg          clk = 0, rst = 1;
    reg  [39:0]  round = 0;
    wire [256:0] digest;
    reg  [31:0]  words [0:63];
    integer      n, t, failures = 0;

    sha256_compress dut (.clk(clk), .rst(rst), .round(round), .digest(digest));

    function [255:0] turned;            // word 0 rightmost
        input [255:0] from;
        integer i;
        for (i = 0; i < 8; i = i + 1)
            turned[32*i +: 32] = from[32*(7-i) +: 32];
    endfunction

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask

    task expect_digest;
        input [256:0] expected;
        if (digest !== expected) begin
            $display("failed: block %0d, round %0d: %h, not %h", n, t, digest, expected);
            failures = failures + 1;
        end
    endtask

    task block;
        input last, pauses;
        for (t = 0; t < 64; t = t + 1) begin
            if (pauses && t % 5 == 0) begin
                round = {1'b0, {39{1'b1}}};
                edge_of_clock; expect_digest(257'd0);
            end
            round = {1'b1, last && t >= 16, t[5:0], words[t]};
            edge_of_clock; expect_digest((last && t == 63) ? {1'b1, turned(abc)} : 257'd0);
        end
    endtask

    initial begin
        $readmemh("rounds.hex", words);
        edge_of_clock; rst = 0; n = 0;
        block(1, 0); n = 1; block(1, 0); n = 2; block(1, 1); n = 3; block(0, 0);
        rst = 1; round = 0; edge_of_clock; rst = 0;     // clears the previous block
        n = 4; block(1, 0);
        if (failures == 0) $display("passed: the digest of abc, four times");
        $finish(0);
    end
endmodule
