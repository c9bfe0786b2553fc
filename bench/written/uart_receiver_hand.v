// SPDX-License-Identifier: Apache-2.0
module uart_receiver (
    input wire clk,
    input wire rst,
    input wire line,
    output reg [8:0] y // {valid, data}
);
    localparam [1:0] IDLE = 0, BEGIN = 1, BITS = 2, STOP = 3;
    reg [1:0] phase;
    reg [4:0] t;
    reg [2:0] left;
    reg [7:0] frame;

    always @(posedge clk) begin
        y <= 0;
        if (rst) begin
            phase <= IDLE;
            t <= 0;
            left <= 0;
            frame <= 0;
        end else case (phase)
            IDLE: if (!line)
                phase <= BEGIN;
            BEGIN: if (t == 22) begin
                t <= 0;
                phase <= BITS;
            end else
                t <= t + 5'd1;
            BITS: begin
                if (t == 0)
                    frame <= {line, frame[7:1]};
                if (t == 15) begin
                    t <= 0;
                    left <= left + 3'd1;
                    if (left == 7)
                        phase <= STOP;
                end else
                    t <= t + 5'd1;
            end
            default: if (line) begin
                y <= {1'b1, frame};
                phase <= IDLE;
            end else
                phase <= BEGIN;
        endcase
    end
endmodule
