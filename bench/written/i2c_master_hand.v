// SPDX-License-Identifier: Apache-2.0
module i2c_master (
    input wire clk,
    input wire rst,
    input wire start,
    input wire [6:0] address,
    input wire [7:0] data,
    input wire line,
    output reg scl,
    output reg sda,
    output reg done,
    output reg failed
);
    localparam [2:0] IDLE = 0, BEGIN = 1, LOW = 2, HIGH = 3, END = 4, LOAD = 5, STOP = 6;
    reg [2:0] phase;
    reg [2:0] t;
    reg [3:0] left;
    reg second, value, nack;
    reg [7:0] frame;

    always @(posedge clk) begin
        scl <= 0;
        sda <= 0;
        done <= 0;
        failed <= 0;
        if (rst) begin
            phase <= IDLE;
            t <= 0;
            left <= 0;
            second <= 0;
            value <= 0;
            nack <= 0;
            frame <= 0;
        end else case (phase)
            IDLE: begin
                sda <= 1;
                scl <= 1;
                if (start) begin
                    frame <= {address, 1'b0};
                    phase <= BEGIN;
                end
            end
            BEGIN: begin
                scl <= 1;
                t <= t + 3'd1;
                if (t == 7) begin
                    value <= frame[7];
                    phase <= LOW;
                end
            end
            LOW: begin
                sda <= value;
                t <= t + 3'd1;
                if (t == 3) begin
                    t <= 0;
                    phase <= HIGH;
                end
            end
            HIGH: begin
                sda <= value;
                scl <= 1;
                t <= t + 3'd1;
                if (t == 7) begin
                    nack <= line;
                    phase <= END;
                end
            end
            END: begin
                sda <= value;
                t <= t + 3'd1;
                if (t == 3) begin
                    t <= 0;
                    frame <= {frame[6:0], 1'b0};
                    if (left != 8) begin
                        left <= left + 4'd1;
                        value <= left == 7 || frame[6];
                        phase <= LOW;
                    end else begin
                        left <= 0;
                        phase <= nack ? STOP : LOAD;
                    end
                end
            end
            LOAD: begin
                frame <= data;
                value <= data[7];
                second <= !second;
                phase <= second ? STOP : LOW;
            end
            default: begin
                scl <= 1;
                t <= t + 3'd1;
                if (t == 7) begin
                    done <= 1;
                    failed <= nack;
                    second <= 0;
                    phase <= IDLE;
                end
            end
        endcase
    end
endmodule
