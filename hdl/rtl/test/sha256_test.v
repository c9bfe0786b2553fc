// SPDX-License-Identifier: Apache-2.0
//
// sha256 against sha256.hex: consecutive messages, each digest 65 cycles after the start of its
// last block, and no digest at any other time.
module sha256_test;
    localparam blocks = 6;
    reg          clk = 0, rst = 1;
    reg  [33:0]  message = 0;
    wire [256:0] digest;
    reg  [771:0] row, vectors [0:blocks-1];
    reg  [256:0] expected;
    integer      n, t, i, failures = 0;

    sha256 dut (.clk(clk), .rst(rst), .message(message), .digest(digest));

    task edge_of_clock;
        begin #1 clk = 1; #5 clk = 0; #4; end
    endtask

    initial begin
        $readmemh("sha256.hex", vectors);
        edge_of_clock; rst = 0;
        expected = 257'd0;
        for (n = 0; n <= blocks; n = n + 1)
            for (t = 0; t < 64; t = t + 1) begin
                row = vectors[n % blocks];
                message = (t < 16 && n < blocks) ? {1'b1, row[768], row[767 - 32*t -: 32]} : 34'd0;
                edge_of_clock;
                // The edge of cycle 64 of a block, which is cycle 0 of the next, brings the digest.
                row = vectors[(n + blocks - 1) % blocks];
                expected[256] = t == 0 && n > 0 && row[768];
                for (i = 0; i < 8; i = i + 1)
                    expected[32*i +: 32] = expected[256] ? row[255 - 32*i -: 32] : 32'd0;
                if (digest !== expected) begin
                    $display("failed: block %0d, cycle %0d: %h, not %h", n, t, digest, expected);
                    failures = failures + 1;
                end
            end
        if (failures == 0) $display("passed: %0d blocks", blocks);
        $finish(0);
    end
endmodule
