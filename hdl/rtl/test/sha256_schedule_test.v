// SPDX-License-Identifier: Apache-2.0
//
// sha256_schedule against rounds.hex: the block of "abc" without pauses, as a last block and not,
// and with pauses between its words.
module sha256_schedule_test;
    reg         clk = 0, rst = 1;
    reg  [33:0] message = 0;
    wire [39:0] round;
    reg  [31:0] words [0:63];
    integer     n, t, failures = 0;

    sha256_schedule dut (.clk(clk), .rst(rst), .message(message), .round(round));

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask

    task expect_round;
        input [39:0] expected;
        if (round !== expected) begin
            $display("failed: block %0d, round %0d: %h, not %h", n, t, round, expected);
            failures = failures + 1;
        end
    endtask

    initial begin
        $readmemh("rounds.hex", words);
        edge_of_clock; rst = 0; n = -1; t = 0; expect_round(40'd0);
        for (n = 0; n < 4; n = n + 1)                   // even: a last block; from 2 on: with pauses
            for (t = 0; t < 64; t = t + 1) begin
                if (n >= 2 && t < 16)
                    repeat (t % 3) begin
                        message = {1'b0, {33{1'b1}}};
                        edge_of_clock; expect_round(40'd0);
                    end
                message = (t < 16) ? {1'b1, !n[0], words[t]} : 34'd0;
                edge_of_clock; expect_round({1'b1, t >= 16 && !n[0], t[5:0], words[t]});
            end
        message = 34'd0;
        edge_of_clock; expect_round(40'd0);
        if (failures == 0) $display("passed: four times 64 rounds");
        $finish(0);
    end
endmodule
