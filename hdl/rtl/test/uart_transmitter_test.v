// SPDX-License-Identifier: Apache-2.0
//
// uart_transmitter against the frames of uart.txt, each bit in each of its cycles: words without a
// gap, and words with pauses in which the line is high.
module uart_transmitter_test;
    localparam words = 6, divisor = 5;
    reg         clk = 0, rst = 1, x_valid = 0;
    reg  [7:0]  x_data = 0;
    wire        x_ready, line;
    reg  [17:0] frame, vectors [0:words-1];
    integer     n, t, failures = 0;

    uart_transmitter #(.divisor(divisor), .bits(8)) dut (.clk(clk), .rst(rst),
        .x_valid(x_valid), .x_data(x_data), .x_ready(x_ready), .line(line));

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask

    task expect_line;
        input level, ready;
        if (line !== level || x_ready !== ready) begin
            $display("failed: word %0d, cycle %0d: line %b, x_ready %b", n, t, line, x_ready);
            failures = failures + 1;
        end
    endtask

    // Offers a word in a cycle in which it is taken; `level` is the line's level in this cycle.
    task offer;
        input [7:0] word;
        input level;
        begin
            x_valid = 1; x_data = word;
            #1 expect_line(level, 1'b1);
            edge_of_clock;
            x_valid = 0; x_data = 8'h00;
        end
    endtask

    initial begin
        $readmemb("uart.txt", vectors);
        n = -1; t = 0;
        edge_of_clock; rst = 0; expect_line(1'b1, 1'b1);
        // Without a gap: offers the next word in the last cycle of the stop bit; the registered
        // line shows one more cycle of that bit.
        offer(vectors[0][7:0], 1'b1);
        for (n = 0; n < words; n = n + 1) begin
            frame = vectors[n];
            for (t = 0; t < 10 * divisor; t = t + 1) begin
                if (t == 10 * divisor - 1 && n < words - 1)
                    offer(vectors[n + 1][7:0], frame[8]);
                else begin
                    expect_line(t == 0 || frame[17 - (t - 1) / divisor], t == 10 * divisor - 1);
                    edge_of_clock;
                end
            end
        end
        // With pauses of 0 to 5 additional cycles.
        for (n = 0; n < words; n = n + 1) begin
            frame = vectors[n];
            for (t = 0; t < n; t = t + 1) begin
                expect_line(1'b1, 1'b1);
                edge_of_clock;
            end
            offer(frame[7:0], 1'b1);
            for (t = 0; t < 10 * divisor; t = t + 1) begin
                expect_line(t == 0 || frame[17 - (t - 1) / divisor], t == 10 * divisor - 1);
                edge_of_clock;
            end
        end
        if (failures == 0) $display("passed: %0d frames without a gap, %0d with rests", words, words);
        $finish(0);
    end
endmodule
