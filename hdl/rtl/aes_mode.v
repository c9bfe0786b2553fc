// SPDX-License-Identifier: Apache-2.0
//
// Prepares the input of the cipher in the modes ECB and CTR of SP 800-38A: the process `mode` of
// models/aes.
//
// request is {valid, mode, first, key[127:0], counter[127:0], text[127:0]}, job {valid, key, block,
// mask}; byte i of each is in bits 8*i+7 to 8*i. A request in cycle t is a job in t + 1, valid if
// the request is. In ECB (mode 0) the block is the text; in CTR (mode 1) the block is the counter
// and the mask is the text. The first block of a message takes its counter from the request; later
// blocks increment it modulo 2^128, with byte 0 of the counter the highest.
`default_nettype none

module aes_mode (
    input  wire         clk,
    input  wire         rst,
    input  wire [386:0] request,
    output reg  [384:0] job             // registered
);
    wire         valid = request[386];
    wire         ctr   = request[385];
    wire         first = request[384];
    wire [127:0] key   = request[383:256];
    wire [127:0] given = request[255:128];
    wire [127:0] text  = request[127:0];

    reg  [127:0] next;                  // the counter as a number
    wire [127:0] counter = first ? turned(given) : next;

    function [127:0] turned;            // reverses the bytes
        input [127:0] bytes;
        integer i;
        for (i = 0; i < 16; i = i + 1)
            turned[8*i +: 8] = bytes[8*(15-i) +: 8];
    endfunction

    always @(posedge clk)
        if (rst)
            next <= 128'd0;
        else if (valid)
            next <= counter + 128'd1;

    always @(posedge clk)
        if (rst)
            job <= 385'd0;
        else
            job <= {valid, key, ctr ? turned(counter) : text, ctr ? text : 128'd0};
endmodule

`default_nettype wire
