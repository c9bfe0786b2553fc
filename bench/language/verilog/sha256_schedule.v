// SPDX-License-Identifier: Apache-2.0
// The 16 words of a block become the words of 64 rounds: the process `schedule` of models/sha256.
`default_nettype none

module sha256_schedule (
    input  wire        clk,                 // everything happens at its rising edge
    input  wire        valid,               // a word of the message comes
    input  wire        last,                // it belongs to the last block
    input  wire [31:0] bits,                // the word
    output reg         round_valid,         // a round can be computed
    output reg         round_last,          // in the last block
    output reg  [5:0]  round_number,        // which of the 64
    output reg  [31:0] round_w              // the round's word
);
    reg [5:0]  number;
    reg        last_block;
    reg [31:0] window [0:15];               // the last 16 words, the oldest first

    function [31:0] small_0(input [31:0] x);
        small_0 = {x[6:0], x[31:7]} ^ {x[17:0], x[31:18]} ^ (x >> 3);
    endfunction

    function [31:0] small_1(input [31:0] x);
        small_1 = {x[16:0], x[31:17]} ^ {x[18:0], x[31:19]} ^ (x >> 10);
    endfunction

    wire        fresh = number < 16;
    wire        go = valid || !fresh;
    wire [31:0] w = fresh ? bits : small_1(window[14]) + window[9] + small_0(window[1]) + window[0];

    integer j;
    always @(posedge clk) begin
        round_valid <= go;
        round_last <= go && last_block && !fresh;
        round_number <= go ? number : 6'd0;
        round_w <= go ? w : 32'd0;
        if (go) begin
            number <= number + 1;
            if (fresh)
                last_block <= last;
            for (j = 0; j < 15; j = j + 1)
                window[j] <= window[j + 1];
            window[15] <= w;
        end
    end

    initial begin
        number = 6'd0;
        last_block = 1'b0;
        round_valid = 1'b0;
        round_last = 1'b0;
        round_number = 6'd0;
        round_w = 32'd0;
        for (j = 0; j < 16; j = j + 1)
            window[j] = 32'd0;
    end
endmodule
