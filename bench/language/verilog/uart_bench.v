// SPDX-License-Identifier: Apache-2.0
// Sends all bytes repeatedly through a transmitter, a long line and a receiver for N cycles (+cycles=N);
// then prints the number of received bytes and their checksum. The network ../uart.yaml does the same.
`timescale 1ns/1ns
`default_nettype none

module uart_bench;
    localparam CABLE = 40;                  // cycles on the line

    reg clk = 1'b0;
    integer cycles;
    reg [7:0] next = 8'd0;
    reg [CABLE-2:0] cable = {(CABLE - 1){1'b1}};
    reg [31:0] count = 32'd0, sum = 32'd0;
    wire taken, sent, valid, framing_error, overrun;
    wire [7:0] data;

    uart_transmitter transmitter (.clk(clk), .valid(1'b1), .data(next), .ready(taken), .line(sent));
    uart_receiver receiver (
        .clk(clk), .line(cable[CABLE-2]), .valid(valid), .data(data), .ready(1'b1),
        .framing_error(framing_error), .overrun(overrun));

    always @(posedge clk) begin
        cable <= {cable[CABLE-3:0], sent};
        if (taken)
            next <= next + 8'd1;
        if (valid) begin
            count <= count + 32'd1;
            sum <= {sum[30:0], sum[31]} + data;
        end
    end

    initial begin
        if (!$value$plusargs("cycles=%d", cycles)) begin
            $display("write +cycles=N");
            $finish;
        end
        repeat (cycles) begin
            #5 clk = 1'b1;
            #5 clk = 1'b0;
        end
        $display("last %0d %0d", count, sum);
        $finish;
    end
endmodule
