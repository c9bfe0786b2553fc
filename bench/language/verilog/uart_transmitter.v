// SPDX-License-Identifier: Apache-2.0
// Sends words over one line, lowest bit first: the component `uart_transmitter` of lib/std.
`default_nettype none

module uart_transmitter #(
    parameter DIVISOR = 16,                 // cycles per bit
    parameter BITS = 8                      // bits per word
) (
    input  wire            clk,             // everything happens at its rising edge
    input  wire            valid,           // a word is offered
    input  wire [BITS-1:0] data,            // the word
    output wire            ready,           // a word would be accepted
    output reg             line             // high at rest
);
    localparam TIME = DIVISOR > 2 ? $clog2(DIVISOR) : 1;
    localparam LEFT = $clog2(BITS + 3);
    localparam [31:0] END = DIVISOR - 1;
    localparam [31:0] ALL = BITS + 2;

    reg [BITS+1:0] frame;                   // the remaining bits, the next one lowest
    reg [LEFT-1:0] left;                    // bits left to send
    reg [TIME-1:0] time_in_bit;             // cycles since the start of this bit

    wire last = time_in_bit == END[TIME-1:0];
    wire take = valid && ready;
    assign ready = left == 0 || (left == 1 && last);

    always @(posedge clk) begin
        line <= left == 0 || frame[0];
        time_in_bit <= left == 0 || last ? {TIME{1'b0}} : time_in_bit + 1'b1;
        if (take) begin
            frame <= {1'b1, data, 1'b0};
            left <= ALL[LEFT-1:0];
        end else if (last) begin
            frame <= frame >> 1;
            if (left != 0)
                left <= left - 1'b1;
        end
    end

    initial begin
        frame = {(BITS + 2){1'b0}};
        left = {LEFT{1'b0}};
        time_in_bit = {TIME{1'b0}};
        line = 1'b1;
    end
endmodule
