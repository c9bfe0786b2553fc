// SPDX-License-Identifier: Apache-2.0
//
// The words of the 64 rounds of SHA-256 (FIPS 180-4, 6.2.2, step 1): the process `schedule` of
// models/sha256.
//
// message is {valid, last, bits[31:0]}, round {valid, last, number[5:0], w[31:0]}. The 16 words of
// a padded block come one per cycle, optionally with pauses; a word in cycle t is a round in t + 1,
// and after the sixteenth word 48 rounds follow, one per cycle. A message word in those 48 cycles
// is lost (the model reports a fault). In message, `last` marks the words of the last block; in
// round, only rounds 16 to 63 carry it. Without a round, round is 0.
`default_nettype none

module sha256_schedule (
    input  wire        clk,
    input  wire        rst,
    input  wire [33:0] message,
    output reg  [39:0] round            // registered
);
    reg [5:0]   number;                 // of the round
    reg         last;
    reg [511:0] window;                 // the last 16 words, the oldest rightmost

    wire fresh = number < 6'd16;        // the word comes from the message
    wire go = !fresh || message[33];

    function [31:0] small_0;
        input [31:0] x;
        small_0 = {x[6:0], x[31:7]} ^ {x[17:0], x[31:18]} ^ {3'd0, x[31:3]};
    endfunction

    function [31:0] small_1;
        input [31:0] x;
        small_1 = {x[16:0], x[31:17]} ^ {x[18:0], x[31:19]} ^ {10'd0, x[31:10]};
    endfunction

    wire [31:0] made = small_1(window[32*14 +: 32]) + window[32*9 +: 32]
                     + small_0(window[32*1 +: 32]) + window[31:0];
    wire [31:0] w = fresh ? message[31:0] : made;

    always @(posedge clk)
        if (rst)
            number <= 6'd0;
        else if (go)
            number <= number + 6'd1;

    always @(posedge clk)
        if (go) begin
            window <= {w, window[511:32]};
            if (fresh)
                last <= message[32];
        end

    always @(posedge clk)
        if (rst || !go)
            round <= 40'd0;
        else
            round <= {1'b1, last && !fresh, number, w};
endmodule

`default_nettype wire
