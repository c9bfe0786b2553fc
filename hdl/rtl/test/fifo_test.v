// SPDX-License-Identifier: Apache-2.0
//
// fifo against fifo.hex; then consecutive numbers through it while both sides start and stop: it
// may not lose, repeat or reorder any, and must become full and empty on the way. Both tests again
// after a reset in the middle.
module fifo_test;
    localparam rows = 18;
    reg         clk = 0, rst = 1, x_valid = 0, y_ready = 0;
    reg  [7:0]  x_data = 0;
    wire        x_ready, y_valid;
    wire [7:0]  y_data;
    reg  [31:0] row, vectors [0:rows-1];
    reg  [7:0]  expected;
    integer     t, fulls, empties, taken, failures = 0;

    fifo #(.depth(4), .width(8)) dut (.clk(clk), .rst(rst),
        .x_valid(x_valid), .x_data(x_data), .x_ready(x_ready),
        .y_valid(y_valid), .y_data(y_data), .y_ready(y_ready));

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask

    task fail;
        begin
            $display("failed: row or cycle %0d: x_ready %b y_valid %b y_data %h", t, x_ready, y_valid,
                     y_data);
            failures = failures + 1;
        end
    endtask

    task reset;
        begin rst = 1; edge_of_clock; rst = 0; end
    endtask

    task by_hand;
        for (t = 0; t < rows; t = t + 1) begin
            row = vectors[t];
            {x_valid, x_data, y_ready} = {row[28], row[27:20], row[16]};
            #1 if (x_ready !== row[12] || y_valid !== row[8] || (row[8] && y_data !== row[7:0])) fail;
            edge_of_clock;
        end
    endtask

    task traffic;
        begin
            fulls = 0; empties = 0; taken = 0; expected = 0; x_valid = 0; x_data = 0;
            for (t = 0; t < 2000; t = t + 1) begin
                if (!x_valid)
                    x_valid = t[7] ? ($random & 3) == 0 : ($random & 3) != 0;
                y_ready = t[8] ? ($random & 3) == 0 : ($random & 3) != 0;
                #1;
                if (!x_ready) fulls = fulls + 1;
                if (!y_valid) empties = empties + 1;
                if (y_valid && y_ready) begin
                    if (y_data !== expected) fail;
                    expected = expected + 1;
                    taken = taken + 1;
                end
                row = {31'd0, x_valid && x_ready};      // before the edge
                edge_of_clock;
                if (row[0]) begin x_valid = 0; x_data = x_data + 1; end
            end
            if (fulls == 0 || empties == 0 || taken < 500) fail;
        end
    endtask

    initial begin
        $readmemh("fifo.hex", vectors);
        reset; by_hand; traffic;
        reset; by_hand; traffic;
        if (failures == 0) $display("passed: %0d rows by hand, numbers in order", rows);
        $finish(0);
    end
endmodule
