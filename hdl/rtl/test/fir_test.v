// SPDX-License-Identifier: Apache-2.0
//
// fir against fir.hex (vectors.py generates it from models/fir), and its impulse response: the
// taps, with the values of models/fir/taps.csv.
module fir_test;
    localparam rows = 512;
    reg         clk = 0, rst = 1;
    reg  [16:0] x = 0;
    wire [32:0] y;
    reg  [51:0] vectors [0:rows-1];
    integer     t, failures = 0;
    reg signed [15:0] tap [0:7];

    fir dut (.clk(clk), .rst(rst), .x(x), .y(y));

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask

    task expect_y;
        input [32:0] expected;
        if (y !== expected) begin
            $display("failed: row %0d: %h, not %h", t, y, expected);
            failures = failures + 1;
        end
    endtask

    initial begin
        $readmemh("fir.hex", vectors);
        edge_of_clock; rst = 0;
        for (t = 0; t < rows; t = t + 1) begin
            x = vectors[t][51:35];
            edge_of_clock;
            expect_y(vectors[t][32:0]);
        end
        rst = 1; edge_of_clock; rst = 0; expect_y(33'd0);
        {tap[0], tap[1], tap[2], tap[3]} = {-16'sd65, -16'sd189, -16'sd372, -16'sd229};
        {tap[4], tap[5], tap[6], tap[7]} = {16'sd844, 16'sd3055, 16'sd5739, 16'sd7601};
        for (t = 0; t < 20; t = t + 1) begin
            x = (t == 0) ? 17'h1_0001 : 17'h1_0000;
            edge_of_clock;
            expect_y((t < 8) ? {1'b1, {16{tap[t][15]}}, tap[t]}
                     : (t < 16) ? {1'b1, {16{tap[15 - t][15]}}, tap[15 - t]} : 33'h1_0000_0000);
        end
        if (failures == 0) $display("passed: %0d rows of models/fir, and an impulse", rows);
        $finish(0);
    end
endmodule
