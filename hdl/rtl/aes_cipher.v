// SPDX-License-Identifier: Apache-2.0
//
// AES-128 encryption (FIPS 197), one round per cycle: the process `cipher` of models/aes.
//
// job is {valid, key[127:0], block[127:0], mask[127:0]}, result {valid, text[127:0]}; byte i of
// each is in bits 8*i+7 to 8*i, in the standard's order. A job in cycle t gives block encrypted
// with key, xor mask, in t + 11; in all other cycles result is 0. The cipher ignores a job in t + 1
// to t + 10 (the model reports a fault), so it takes at most one block every 11 cycles. It computes
// the round keys on the fly.
`default_nettype none

module aes_cipher (
    input  wire         clk,
    input  wire         rst,
    input  wire [384:0] job,
    output reg  [128:0] result          // registered
);
    reg [3:0]   round;                  // 0: idle
    reg [127:0] block;
    reg [127:0] key;                    // of the last round
    reg [127:0] mask;
    reg [7:0]   power;                  // the round constant, a power of x

    wire busy = round != 4'd0;
    wire last = round == 4'd10;

    function [7:0] double;              // times x in GF(2^8)
        input [7:0] x;
        double = {x[6:0], 1'b0} ^ (x[7] ? 8'h1b : 8'h00);
    endfunction

    function [31:0] mix;                // MixColumns of one column, byte 0 rightmost
        input [31:0] s;
        integer r;
        for (r = 0; r < 4; r = r + 1)
            mix[8*r +: 8] = double(s[8*r +: 8] ^ s[8*((r+1)%4) +: 8]) ^ s[8*((r+1)%4) +: 8]
                          ^ s[8*((r+2)%4) +: 8] ^ s[8*((r+3)%4) +: 8];
    endfunction

    wire [127:0] shifted;               // after SubBytes and ShiftRows
    wire [127:0] mixed;                 // after MixColumns, which the last round skips
    wire [31:0]  word;                  // the last word of the key, rotated, through the S-box

    wire [31:0]  key_0 = key[31:0]   ^ word ^ {24'd0, power};
    wire [31:0]  key_1 = key[63:32]  ^ key_0;
    wire [31:0]  key_2 = key[95:64]  ^ key_1;
    wire [31:0]  key_3 = key[127:96] ^ key_2;
    wire [127:0] round_key = {key_3, key_2, key_1, key_0};
    wire [127:0] next = mixed ^ round_key;

    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : bytes
            aes_sbox sbox (.x(block[8*((5*i)%16) +: 8]), .y(shifted[8*i +: 8]));
        end
        for (i = 0; i < 4; i = i + 1) begin : columns
            assign mixed[32*i +: 32] = last ? shifted[32*i +: 32] : mix(shifted[32*i +: 32]);
            aes_sbox sbox (.x(key[96 + 8*((i+1)%4) +: 8]), .y(word[8*i +: 8]));
        end
    endgenerate

    always @(posedge clk)
        if (rst)
            round <= 4'd0;
        else if (busy)
            round <= last ? 4'd0 : round + 4'd1;
        else if (job[384])
            round <= 4'd1;

    always @(posedge clk)
        if (busy) begin
            block <= next;
            key   <= round_key;
            power <= double(power);
        end else begin
            block <= job[255:128] ^ job[383:256];
            key   <= job[383:256];
            mask  <= job[127:0];
            power <= 8'h01;
        end

    always @(posedge clk)
        if (rst || !last)
            result <= 129'd0;
        else
            result <= {1'b1, next ^ mask};
endmodule

`default_nettype wire
