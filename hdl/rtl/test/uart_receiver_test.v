// SPDX-License-Identifier: Apache-2.0
//
// uart_receiver against the frames of uart.txt: at the nominal speed and up to 4 % off, a glitch, a
// missing stop bit, and a word that is not taken in time.
module uart_receiver_test;
    localparam words = 6, divisor = 16;
    reg         clk = 0, rst = 1, line = 1, y_ready = 1;
    wire        y_valid, framing_error, overrun;
    wire [7:0]  y_data;
    reg  [17:0] frame, vectors [0:words-1];
    reg  [7:0]  last;
    integer     n, k, speed, received = 0, errors = 0, overruns = 0, failures = 0;

    uart_receiver #(.divisor(divisor), .bits(8)) dut (.clk(clk), .rst(rst), .line(line),
        .y_valid(y_valid), .y_data(y_data), .y_ready(y_ready),
        .framing_error(framing_error), .overrun(overrun));

    always #500 clk = !clk;                     // a cycle is 1000 time steps

    always @(negedge clk)                       // in the middle of a cycle
        if (!rst) begin
            if (y_valid && y_ready) begin last = y_data; received = received + 1; end
            if (framing_error) errors = errors + 1;
            if (overrun) overruns = overruns + 1;
        end

    // Sends frame bits from the left; a bit lasts `speed` thousandths of its nominal time.
    task send;
        input [9:0] bits;
        for (k = 9; k >= 0; k = k - 1) begin
            line = bits[k];
            #(divisor * speed);
        end
    endtask

    task expect_counts;
        input integer words_now, errors_now, overruns_now;
        if (received !== words_now || errors !== errors_now || overruns !== overruns_now) begin
            $display("failed: %0d words, %0d framing errors, %0d overruns; not %0d, %0d, %0d", received,
                     errors, overruns, words_now, errors_now, overruns_now);
            failures = failures + 1;
        end
    endtask

    initial begin
        $readmemb("uart.txt", vectors);
        #2200 rst = 0;
        for (speed = 960; speed <= 1040; speed = speed + 40)
            for (n = 0; n < words; n = n + 1) begin
                frame = vectors[n];
                send(frame[17:8]);
                #6000 if (last !== frame[7:0]) begin
                    $display("failed: speed %0d, word %h received as %h", speed, frame[7:0], last);
                    failures = failures + 1;
                end
            end
        speed = 1000;
        expect_counts(3 * words, 0, 0);
        line = 0; #(divisor * 400); line = 1; #(divisor * 20000);               // a glitch
        expect_counts(3 * words, 0, 0);
        send(10'b0_10101010_0); #(divisor * 10000);                           // no stop bit
        expect_counts(3 * words, 1, 0);
        line = 1; #(divisor * 2000);
        y_ready = 0;
        send(10'b0_11000000_1); send(10'b0_00110000_1);                     // 0x03 and 0x0c
        #(divisor * 2000) expect_counts(3 * words, 1, 1);
        y_ready = 1; #2000 expect_counts(3 * words + 1, 1, 1);
        if (last !== 8'h03) begin
            $display("failed: the word that was dropped came"); failures = failures + 1;
        end
        if (failures == 0) $display("passed: %0d words at 0.96, 1 and 1.04; errors found", 3 * words);
        $finish(0);
    end
endmodule
