// SPDX-License-Identifier: Apache-2.0
// Hashes messages repeatedly for N cycles (+cycles=N), then prints the number of digests and the last one.
// +blocks=FILE.hex has a word {valid, last, bits} for each of its +rows=N cycles.
`timescale 1ns/1ns
`default_nettype none

module sha256_bench;
    parameter K = "k.hex";
    parameter START = "start.hex";

    reg clk = 1'b0;
    reg [33:0] blocks [0:65535];
    reg [33:0] row;
    reg [8 * 1024 - 1:0] blocks_file;
    integer cycles, rows, at, digests;
    reg [255:0] last_digest;

    wire round_valid, round_last, digest_valid;
    wire [5:0] round_number;
    wire [31:0] round_w;
    wire [255:0] digest;

    sha256_schedule schedule (
        .clk(clk), .valid(row[33]), .last(row[32]), .bits(row[31:0]),
        .round_valid(round_valid), .round_last(round_last), .round_number(round_number), .round_w(round_w));
    sha256_compress #(.K(K), .START(START)) compress (
        .clk(clk), .round_valid(round_valid), .round_last(round_last), .round_number(round_number), .round_w(round_w),
        .digest_valid(digest_valid), .digest(digest));

    always @(posedge clk)
        if (digest_valid) begin
            digests <= digests + 1;
            last_digest <= digest;
        end

    initial begin
        if (!$value$plusargs("blocks=%s", blocks_file) || !$value$plusargs("rows=%d", rows) ||
            !$value$plusargs("cycles=%d", cycles)) begin
            $display("write +blocks=FILE.hex +rows=N +cycles=N");
            $finish;
        end
        $readmemh(blocks_file, blocks, 0, rows - 1);
        at = 0;
        digests = 0;
        last_digest = 256'd0;
        repeat (cycles) begin
            row = blocks[at];
            at = at + 1 == rows ? 0 : at + 1;
            #5 clk = 1'b1;
            #5 clk = 1'b0;
        end
        $display("last %0d %h", digests, last_digest);
        $finish;
    end
endmodule
