// SPDX-License-Identifier: Apache-2.0
//
// aes_cipher against aes.hex: a job every 11 cycles, its result 11 cycles later, and no result in
// between; ignores early jobs, and a reset aborts a job.
module aes_cipher_test;
`include "aes_rows.vh"
    reg  [384:0] job = 0;
    wire [128:0] result;

    aes_cipher dut (.clk(clk), .rst(rst), .job(job), .result(result));

    task expect_result;
        input [128:0] expected;
        if (result !== expected) begin
            $display("failed: row %0d, cycle %0d: %h, not %h", n, t, result, expected);
            failures = failures + 1;
        end
    endtask

    initial begin
        $readmemh("aes.hex", vectors);
        edge_of_clock; rst = 0; n = -1; t = 0; expect_result(129'd0);
        for (n = 0; n < rows; n = n + 1) begin
            row = vectors[n];
            #1 job = {1'b1, key, block, mask};
            for (t = 1; t < 11; t = t + 1) begin
                edge_of_clock;
                job = {n[0], {384{1'b1}}};
                expect_result(129'd0);
            end
            job = 385'd0;
            edge_of_clock; expect_result({1'b1, cipher});
        end
        job = {1'b1, key, block, mask};
        repeat (5) edge_of_clock;
        job = 385'd0; rst = 1; edge_of_clock; rst = 0;
        for (t = 0; t < 12; t = t + 1) begin edge_of_clock; expect_result(129'd0); end
        if (failures == 0) $display("passed: %0d rows", rows);
        $finish(0);
    end
endmodule
