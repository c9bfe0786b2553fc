// SPDX-License-Identifier: Apache-2.0
//
// A FIFO between two clocks. Its pointers count in Gray code, of which one bit changes at a time; a
// pointer reaches the other clock through two registers. A word is out for as long as m_valid is
// high, and the next follows when m_ready is high at a rising m_clk.
`default_nettype none

module async_fifo #(
    parameter width = 8,  // of a word
    parameter address = 3 // 2^address words fit
) (
    input  wire             s_clk,   // of the side that writes
    input  wire             s_rst_n, // its reset
    input  wire             s_valid, // there is a word
    input  wire [width-1:0] s_data,  // the word
    output reg              s_ready, // it is taken
    output reg  [address:0] s_level, // words in it, as the writing side knows
    input  wire             m_clk,   // of the side that reads
    input  wire             m_rst,   // its reset
    output reg              m_valid, // there is a word
    output wire [width-1:0] m_data,  // the word
    input  wire             m_ready  // it is taken
);
    reg [width-1:0] memory [0:(1 << address)-1];
    reg [address:0] written, written_gray, written_1, written_2;
    reg [address:0] taken, taken_gray, taken_1, taken_2;

    function [address:0] gray(input [address:0] value);
        gray = value ^ (value >> 1);
    endfunction

    function [address:0] binary(input [address:0] value);
        integer k;
        begin
            binary[address] = value[address];
            for (k = address - 1; k >= 0; k = k - 1)
                binary[k] = binary[k + 1] ^ value[k];
        end
    endfunction

    integer word;
    initial
        for (word = 0; word < (1 << address); word = word + 1)
            memory[word] = 0;

    // the side that writes
    wire writes = s_valid && s_ready;
    wire [address:0] written_next = written + {{address{1'b0}}, writes};
    wire [address:0] level_next = written_next - binary(taken_2);

    always @(posedge s_clk)
        if (writes)
            memory[written[address-1:0]] <= s_data;

    always @(posedge s_clk or negedge s_rst_n)
        if (!s_rst_n) begin
            written <= 0;
            written_gray <= 0;
            taken_1 <= 0;
            taken_2 <= 0;
            s_ready <= 1'b0;
            s_level <= 0;
        end else begin
            written <= written_next;
            written_gray <= gray(written_next);
            taken_1 <= taken_gray;
            taken_2 <= taken_1;
            s_ready <= !level_next[address];
            s_level <= level_next;
        end

    // the side that reads
    wire [address:0] taken_next = taken + {{address{1'b0}}, m_valid && m_ready};

    assign m_data = memory[taken[address-1:0]];

    always @(posedge m_clk)
        if (m_rst) begin
            taken <= 0;
            taken_gray <= 0;
            written_1 <= 0;
            written_2 <= 0;
            m_valid <= 1'b0;
        end else begin
            taken <= taken_next;
            taken_gray <= gray(taken_next);
            written_1 <= written_gray;
            written_2 <= written_1;
            m_valid <= gray(taken_next) != written_2;
        end
endmodule

`default_nettype wire
