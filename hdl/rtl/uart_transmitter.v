// SPDX-License-Identifier: Apache-2.0
//
// Sends words over one line: a start bit (low), the bits, lowest first, and a stop bit (high):
// lib/std/uart_transmitter.yaml.
//
// Each bit lasts `divisor` cycles. A word taken from x in cycle t is loaded into the frame; line is
// a register after the frame, so the start bit is visible from t + 2 on and the word ends after
// (bits + 2) * divisor cycles. x_ready is high while the transmitter is idle and in the last cycle
// of a stop bit, so words can follow each other without a gap. The line is high when idle and after
// reset.
`default_nettype none

module uart_transmitter #(
    parameter divisor = 16,             // cycles a bit: clock frequency / baud rate; 1 or more
    parameter bits = 8                  // bits a word, 2 to 62
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            x_valid,     // words to send
    input  wire [bits-1:0] x_data,
    output wire            x_ready,
    output reg             line         // registered
);
    localparam elapsed_bits = (divisor > 1) ? $clog2(divisor) : 1;
    localparam left_bits = $clog2(bits + 3);
    localparam [31:0] last_cycle = divisor - 1;
    localparam [31:0] whole = bits + 2;         // start bit, word, stop bit

    reg [bits+1:0]         frame;               // bits left to send, the next one lowest
    reg [left_bits-1:0]    left;                // bits left to send
    reg [elapsed_bits-1:0] elapsed;             // cycles of the current bit

    wire idle = left == {left_bits{1'b0}};
    wire last = elapsed == last_cycle[elapsed_bits-1:0];
    wire stop = left == {{left_bits-1{1'b0}}, 1'b1};
    wire take = x_valid && x_ready;

    assign x_ready = idle || (stop && last);

    always @(posedge clk)
        if (rst) begin
            line    <= 1'b1;
            left    <= {left_bits{1'b0}};
            elapsed <= {elapsed_bits{1'b0}};
        end else begin
            line    <= idle || frame[0];
            elapsed <= (idle || last) ? {elapsed_bits{1'b0}} : elapsed + 1'b1;
            if (take)
                left <= whole[left_bits-1:0];
            else if (last && !idle)
                left <= left - 1'b1;
        end

    always @(posedge clk)
        if (take)
            frame <= {1'b1, x_data, 1'b0};
        else if (last)
            frame <= {1'b0, frame[bits+1:1]};
endmodule

`default_nettype wire
