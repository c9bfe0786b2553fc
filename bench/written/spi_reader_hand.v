// SPDX-License-Identifier: Apache-2.0
module spi_reader (
    input wire clk,
    input wire rst,
    input wire start,
    input wire [7:0] address,
    input wire answer_valid,
    input wire [7:0] answer_data,
    output reg answer_ready,
    output reg command_valid,
    output reg [7:0] command_data,
    input wire command_ready,
    output reg done,
    output reg ok,
    output reg [7:0] result
);
    localparam [2:0] IDLE = 0, WAKE = 1, REST = 2, ASK = 3, FIRST = 4, SECOND = 5, JUDGE = 6, FAIL = 7;
    reg [2:0] phase;
    reg [1:0] try;
    reg [7:0] t, value, sum;
    wire good = sum == ~(address + value);
    wire last = try == 3;
    // after a wrong answer, the next try begins in the same cycle
    wire wakes = phase == WAKE || (phase == JUDGE && !good && !last);

    always @* begin
        answer_ready = phase == FIRST || phase == SECOND;
        command_valid = wakes || phase == ASK;
        command_data = wakes ? 8'hab : phase == ASK ? address : 8'h00;
    end

    always @(posedge clk) begin
        done <= 0;
        ok <= 0;
        result <= 0;
        if (rst) begin
            phase <= IDLE;
            try <= 0;
            t <= 0;
            value <= 0;
            sum <= 0;
        end else case (phase)
            IDLE: if (start)
                phase <= WAKE;
            WAKE: if (command_ready)
                phase <= REST;
            REST: if (t == 19) begin
                t <= 0;
                phase <= ASK;
            end else
                t <= t + 8'd1;
            ASK: if (command_ready)
                phase <= FIRST;
            FIRST: if (answer_valid) begin
                value <= answer_data;
                phase <= SECOND;
            end
            SECOND: if (answer_valid) begin
                sum <= answer_data;
                t <= 0;
                phase <= JUDGE;
            end else if (t == 199) begin
                t <= 0;
                try <= try + 2'd1;
                phase <= last ? FAIL : WAKE;
            end else
                t <= t + 8'd1;
            JUDGE: if (good || last) begin
                done <= 1;
                ok <= good;
                if (good)
                    result <= value;
                try <= 0;
                phase <= IDLE;
            end else begin
                try <= try + 2'd1;
                phase <= command_ready ? REST : WAKE;
            end
            default: begin
                done <= 1;
                try <= 0;
                phase <= IDLE;
            end
        endcase
    end
endmodule
