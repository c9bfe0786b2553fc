// SPDX-License-Identifier: Apache-2.0
module divider (
    input wire clk,
    input wire rst,
    input wire start,
    input wire [15:0] a,
    input wire [15:0] b,
    output reg done,
    output reg [15:0] quotient,
    output reg [15:0] remainder
);
    localparam [1:0] IDLE = 0, WORK = 1, FINISH = 2;
    reg [1:0] phase;
    reg [3:0] step;
    reg [15:0] rest, q, d;
    wire [16:0] next = {rest, q[15]};
    wire [16:0] less = next - {1'b0, d};
    wire fits = next >= {1'b0, d};

    always @(posedge clk) begin
        done <= 0;
        quotient <= 0;
        remainder <= 0;
        if (rst) begin
            phase <= IDLE;
            step <= 0;
            rest <= 0;
            q <= 0;
            d <= 0;
        end else case (phase)
            IDLE: if (start) begin
                q <= a;
                d <= b;
                rest <= 0;
                phase <= WORK;
            end
            WORK: begin
                rest <= fits ? less[15:0] : next[15:0];
                q <= {q[14:0], fits};
                step <= step + 4'd1;
                if (step == 15)
                    phase <= FINISH;
            end
            default: begin
                done <= 1;
                quotient <= q;
                remainder <= rest;
                phase <= IDLE;
            end
        endcase
    end
endmodule
