// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ps
module fifo #(parameter DEPTH = 4) (
    input clk,
    input rst,
    input x_valid,
    input [31:0] x_data,
    output x_ready,
    output y_valid,
    output [31:0] y_data,
    input y_ready
);
    localparam WIDTH = $clog2(DEPTH + 1);
    reg [31:0] mem[0:DEPTH - 1];
    reg [WIDTH - 1:0] head, tail, count;
    wire push = x_valid && x_ready, pop = y_valid && y_ready;
    assign x_ready = count != DEPTH[WIDTH - 1:0];
    assign y_valid = count != 0;
    assign y_data = mem[head];
    always @(posedge clk)
        if (rst) begin
            head <= 0;
            tail <= 0;
            count <= 0;
        end else begin
            if (push) begin
                mem[tail] <= x_data;
                tail <= tail == DEPTH[WIDTH - 1:0] - 1 ? 0 : tail + 1;
            end
            if (pop) head <= head == DEPTH[WIDTH - 1:0] - 1 ? 0 : head + 1;
            count <= count + {{WIDTH - 1{1'b0}}, push} - {{WIDTH - 1{1'b0}}, pop};
        end
endmodule
