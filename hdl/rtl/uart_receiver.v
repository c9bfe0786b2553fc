// SPDX-License-Identifier: Apache-2.0
//
// Receives words from a uart_transmitter with the same parameters: lib/std/uart_receiver.yaml, with
// framing_error and overrun bound to wires.
//
// The line falls in cycle t. The receiver samples it in t + divisor / 2, the middle of the start
// bit (if high, it was a glitch), and then every `divisor` cycles: the bits, lowest first, and the
// stop bit. y offers the word from the next cycle on until it is taken. framing_error depends on
// line in the cycle that samples the stop bit: it is high if the stop bit is low; the word is
// dropped, and the next start bit counts only after the line has been high again. overrun depends
// on line and y_ready: it is high in a cycle that completes a word while the previous one has not
// been taken; the new word is dropped.
`default_nettype none

module uart_receiver #(
    parameter divisor = 16,             // cycles a bit: clock frequency / baud rate; 4 or more
    parameter bits = 8                  // bits a word, 2 to 62
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            line,
    output wire            y_valid,     // words received
    output wire [bits-1:0] y_data,
    input  wire            y_ready,
    output wire            framing_error,   // combinational
    output wire            overrun          // combinational
);
    localparam wait_bits = $clog2(divisor);
    localparam left_bits = $clog2(bits + 1);
    localparam [31:0] one_bit = divisor - 1;
    localparam [31:0] half_bit = divisor / 2 - 1;
    localparam [31:0] all_bits = bits;

    localparam [2:0] idle = 0, start = 1, data = 2, stop = 3, broken = 4;

    reg [2:0]           phase;
    reg [wait_bits-1:0] left_cycles;            // until the next sample
    reg [left_bits-1:0] left;                   // bits still to come
    reg [bits-1:0]      word;                   // the bits so far, the newest highest
    reg                 full;                   // `kept` waits to be taken
    reg [bits-1:0]      kept;

    wire look = left_cycles == {wait_bits{1'b0}};
    wire complete = phase == stop && look;
    wire room = !full || y_ready;
    wire last_bit = left == {{left_bits-1{1'b0}}, 1'b1};

    assign y_valid = full;
    assign y_data = kept;
    assign framing_error = complete && !line;
    assign overrun = complete && line && !room;

    always @(posedge clk)
        if (rst)
            phase <= idle;
        else
            case (phase)
                idle:   if (!line) phase <= start;
                start:  if (look) phase <= line ? idle : data;
                data:   if (look && last_bit) phase <= stop;
                stop:   if (look) phase <= line ? idle : broken;
                broken: if (line) phase <= idle;
                default: phase <= idle;
            endcase

    always @(posedge clk) begin
        if (phase == idle)
            left_cycles <= half_bit[wait_bits-1:0];
        else if (look)
            left_cycles <= one_bit[wait_bits-1:0];
        else
            left_cycles <= left_cycles - 1'b1;

        if (phase == start)
            left <= all_bits[left_bits-1:0];
        else if (phase == data && look) begin
            left <= left - 1'b1;
            word <= {line, word[bits-1:1]};
        end
    end

    always @(posedge clk)
        if (rst) begin
            full <= 1'b0;
            kept <= {bits{1'b0}};
        end else begin
            full <= (complete && line) || (full && !y_ready);
            if (complete && line && room)
                kept <= word;
        end
endmodule

`default_nettype wire
