// SPDX-License-Identifier: Apache-2.0
//
// As processors.yaml.
module processor #(parameter [31:0] K = 0) (
    input  wire        clk,
    input  wire [4:0]  group,
    output reg  [31:0] acc
);
    reg [3:0] pc;
    reg [31:0] r [0:15];
    reg [15:0] code;
    reg [31:0] result;
    integer i;
    initial begin
        pc = 0;
        acc = 0;
        for (i = 0; i < 16; i = i + 1)
            r[i] = 0;
    end
    always @* begin
        case (pc)
            4'd0: code = 16'h6101;
            4'd1: code = 16'h6207;
            4'd2: code = 16'h0312;
            4'd3: code = 16'h5431;
            4'd4: code = 16'h1543;
            4'd5: code = 16'h2654;
            4'd6: code = 16'h3762;
            4'd7: code = 16'h4871;
            4'd8: code = 16'h0987;
            4'd9: code = 16'h2a95;
            4'd10: code = 16'h5ba2;
            4'd11: code = 16'h1cb3;
            4'd12: code = 16'h0dc4;
            4'd13: code = 16'h2ed5;
            4'd14: code = 16'h0ff6;
            default: code = 16'h7101;
        endcase
    end
    wire [31:0] a = r[code[7:4]];
    wire [31:0] b = r[code[3:0]];
    wire branches = code[15:12] == 7;
    always @*
        case (code[15:12])
            4'd0: result = a + b;
            4'd1: result = a - b;
            4'd2: result = a ^ b;
            4'd3: result = a & b;
            4'd4: result = a << b[4:0];
            4'd5: result = a * b;
            default: result = {24'd0, code[7:0]} ^ K;
        endcase
    always @(posedge clk)
        if (group == K % @groups@) begin
            pc <= branches && r[code[11:8]] != 0 ? code[3:0] : pc + 4'd1;
            acc <= result;
            if (!branches)
                r[code[11:8]] <= result;
        end
endmodule

module whole(input wire clk, output reg [31:0] check);
    reg [4:0] group = 0;
    reg [5:0] tick = 0;
    wire [31:0] acc [0:255];
    genvar k;
    generate
        for (k = 0; k < 256; k = k + 1) begin : processors
            processor #(.K(k)) processor(.clk(clk), .group(group), .acc(acc[k]));
        end
    endgenerate
    integer i;
    reg [31:0] next;
    initial check = 0;
    always @* begin
        next = 0;
        for (i = 0; i < 64; i = i + 1)
            next = next ^ acc[i * 4];
    end
    always @(posedge clk) begin
        tick <= tick + 1;
        if (tick == 63)
            group <= group == @groups@ - 1 ? 5'd0 : group + 5'd1;
        check <= next;
    end
endmodule
