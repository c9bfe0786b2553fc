// SPDX-License-Identifier: Apache-2.0
//
// aes against aes.hex: a request every 11 cycles, answered 12 cycles later.
module aes_test;
`include "aes_rows.vh"
    reg  [386:0] request = 0;
    wire [128:0] result;
    reg  [128:0] expected = 0;

    aes dut (.clk(clk), .rst(rst), .request(request), .result(result));

    initial begin
        $readmemh("aes.hex", vectors);
        edge_of_clock; rst = 0;
        for (n = 0; n <= rows; n = n + 1)
            for (t = 0; t < 11; t = t + 1) begin
                row = vectors[n % rows];
                #1 request = (t == 0 && n < rows) ? {1'b1, ctr, first, key, counter, text} : 387'd0;
                edge_of_clock;
                // The row before this one is answered after the first edge: 12 cycles after its
                // own.
                row = vectors[(n + rows - 1) % rows];
                #1 expected = (t == 0 && n > 0) ? {1'b1, cipher} : 129'd0;
                if (result !== expected) begin
                    $display("failed: row %0d, cycle %0d: %h, not %h", n, t, result, expected);
                    failures = failures + 1;
                end
            end
        if (failures == 0) $display("passed: %0d rows", rows);
        $finish(0);
    end
endmodule
