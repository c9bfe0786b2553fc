// SPDX-License-Identifier: Apache-2.0
//
// The rows of aes.hex, included by the benches of the three AES modules.
    localparam rows = 10;
    reg  [643:0] row, vectors [0:rows-1];
    reg          clk = 0, rst = 1;
    integer      n, t, failures = 0;

    wire         ctr     = row[641:640] != 2'd0;
    wire         first   = row[641:640] != 2'd2;
    wire [127:0] key     = turned(row[639:512]);
    wire [127:0] counter = turned(row[511:384]);
    wire [127:0] text    = turned(row[383:256]);
    wire [127:0] block   = turned(row[255:128]);
    wire [127:0] mask    = ctr ? text : 128'd0;
    wire [127:0] cipher  = turned(row[127:0]);

    function [127:0] turned;            // byte 0 rightmost
        input [127:0] bytes;
        integer i;
        for (i = 0; i < 16; i = i + 1)
            turned[8*i +: 8] = bytes[8*(15-i) +: 8];
    endfunction

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask
