// SPDX-License-Identifier: Apache-2.0
module multiply_add (
    input wire clk,
    input wire rst,
    input wire [32:0] x, // {valid, a, b, c}
    output reg [16:0] y  // {valid, data}
);
    reg valid1, valid2, valid3;
    reg [7:0] a, b;
    reg [15:0] c, c2, c3, p0, p1, p2, p3, low, high;

    always @(posedge clk)
        if (rst) begin
            {valid1, valid2, valid3} <= 0;
            {a, b, c, c2, c3, p0, p1, p2, p3, low, high} <= 0;
            y <= 0;
        end else begin
            valid1 <= x[32];
            if (x[32])
                {a, b, c} <= x[31:0];
            valid2 <= valid1;
            if (valid1) begin
                p0 <= a * b[1:0];
                p1 <= a * b[3:2];
                p2 <= a * b[5:4];
                p3 <= a * b[7:6];
                c2 <= c;
            end
            valid3 <= valid2;
            if (valid2) begin
                low <= p0 + (p1 << 2);
                high <= p2 + (p3 << 2);
                c3 <= c2;
            end
            y <= {valid3, low + (high << 4) + c3};
        end
endmodule
