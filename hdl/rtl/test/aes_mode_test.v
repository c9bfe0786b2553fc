// SPDX-License-Identifier: Apache-2.0
//
// aes_mode against aes.hex: the jobs for the cipher, with a request every cycle and with pauses;
// then a counter that wraps.
module aes_mode_test;
`include "aes_rows.vh"
    reg  [386:0] request = 0;
    wire [384:0] job;

    aes_mode dut (.clk(clk), .rst(rst), .request(request), .job(job));

    task expect_job;
        input [384:0] expected;
        if (job !== expected) begin
            $display("failed: row %0d: %h, not %h", n, job, expected);
            failures = failures + 1;
        end
    endtask

    initial begin
        $readmemh("aes.hex", vectors);
        edge_of_clock; rst = 0; n = -1; expect_job(385'd0);
        for (t = 0; t < 2; t = t + 1)
            for (n = 0; n < rows; n = n + 1) begin
                row = vectors[n];
                #1 request = {1'b1, ctr, first, key, counter, text};
                edge_of_clock; expect_job({1'b1, key, block, mask});
                if (t == 1) begin
                    request = {1'b0, {386{1'b1}}};
                    edge_of_clock; expect_job({1'b0, {384{1'b1}}});     // no job
                end
            end
        request = {3'b111, 128'd0, {128{1'b1}}, 128'd0};                    // the highest counter
        edge_of_clock; expect_job({1'b1, 128'd0, {128{1'b1}}, 128'd0});
        request = {3'b110, 384'd0};
        edge_of_clock; expect_job({1'b1, 384'd0});
        edge_of_clock; expect_job({1'b1, 128'd0, 8'd1, 120'd0, 128'd0});    // byte 15 is 1
        if (failures == 0) $display("passed: %0d rows, twice", rows);
        $finish(0);
    end
endmodule
