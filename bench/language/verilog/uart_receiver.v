// SPDX-License-Identifier: Apache-2.0
// Receives what a uart_transmitter sends: the component `uart_receiver` of lib/std.
`default_nettype none

module uart_receiver #(
    parameter DIVISOR = 16,                 // cycles per bit
    parameter BITS = 8                      // bits per word
) (
    input  wire            clk,             // everything happens at its rising edge
    input  wire            line,            // high at rest
    output wire            valid,           // a word waits
    output wire [BITS-1:0] data,            // the word
    input  wire            ready,           // accepts the word in this cycle
    output reg             framing_error,   // the stop bit was low
    output reg             overrun          // the previous word had not been accepted
);
    localparam TIME = $clog2(DIVISOR);
    localparam LEFT = $clog2(BITS + 1);
    localparam [31:0] WHOLE = DIVISOR - 1, HALF = DIVISOR / 2 - 1, ALL = BITS;
    localparam [2:0] IDLE = 0, START = 1, DATA = 2, STOP = 3, BROKEN = 4;

    reg [2:0]      phase;
    reg [TIME-1:0] time_to_look;            // cycles until the line is sampled
    reg [LEFT-1:0] left;                    // bits still to come
    reg [BITS-1:0] word;                    // the bits so far, the newest highest
    reg            full;                    // `kept` waits to be accepted
    reg [BITS-1:0] kept;

    wire look = time_to_look == 0;
    wire complete = phase == STOP && look;
    wire room = !full || ready;
    assign valid = full;
    assign data = kept;

    always @(posedge clk) begin
        framing_error <= complete && !line;
        overrun <= complete && line && !room;
        full <= (complete && line) || (full && !ready);
        if (complete && line && room)
            kept <= word;
        time_to_look <= look ? WHOLE[TIME-1:0] : time_to_look - 1'b1;
        case (phase)
            IDLE: begin
                time_to_look <= HALF[TIME-1:0];
                if (!line)
                    phase <= START;
            end
            START: begin
                left <= ALL[LEFT-1:0];
                if (look)
                    phase <= line ? IDLE : DATA;
            end
            DATA: if (look) begin
                word <= {line, word[BITS-1:1]};
                left <= left - 1'b1;
                if (left == 1)
                    phase <= STOP;
            end
            STOP: if (look)
                phase <= line ? IDLE : BROKEN;
            default: if (line)
                phase <= IDLE;
        endcase
    end

    initial begin
        phase = IDLE;
        time_to_look = {TIME{1'b0}};
        left = {LEFT{1'b0}};
        word = {BITS{1'b0}};
        full = 1'b0;
        kept = {BITS{1'b0}};
        framing_error = 1'b0;
        overrun = 1'b0;
    end
endmodule
