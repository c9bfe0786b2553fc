// SPDX-License-Identifier: Apache-2.0
//
// Memory of 32-bit words with one port for instructions and one for data; infers block RAM.
//
// Addresses of cycle t are answered in t + 1. `instruction` sees a write in t; `word` does not (a
// core does not load and store in one cycle). Memory holds program_file, otherwise 0.
`default_nettype none

module riscv_memory #(
    parameter words = 4096,             // a power of two
    parameter program_file = ""         // hexadecimal words; "": all words are 0
) (
    input  wire                     clk,
    input  wire [$clog2(words)-1:0] fetch,      // address of the next instruction
    output wire [31:0]              instruction,
    input  wire [$clog2(words)-1:0] place,      // of data
    input  wire [3:0]               write,      // byte enables
    input  wire [31:0]              data,
    output reg  [31:0]              word
);
    reg [31:0] bank [0:words-1];
    reg [31:0] fetched;
    reg [31:0] stored;                  // the word written during the fetch,
    reg [3:0]  newer;                   // and which of its bytes the fetch should have seen

    integer i;
    initial begin
        for (i = 0; i < words; i = i + 1)
            bank[i] = 32'd0;
        if (program_file != "")
            $readmemh(program_file, bank);
    end

    always @(posedge clk) begin
        if (write[0]) bank[place][7:0]   <= data[7:0];
        if (write[1]) bank[place][15:8]  <= data[15:8];
        if (write[2]) bank[place][23:16] <= data[23:16];
        if (write[3]) bank[place][31:24] <= data[31:24];
        word <= bank[place];
    end

    always @(posedge clk) begin
        fetched <= bank[fetch];
        stored  <= data;
        newer   <= (fetch == place) ? write : 4'd0;
    end

    genvar k;
    generate
        for (k = 0; k < 4; k = k + 1) begin : bytes
            assign instruction[8*k +: 8] = newer[k] ? stored[8*k +: 8] : fetched[8*k +: 8];
        end
    endgenerate
endmodule

`default_nettype wire
