// SPDX-License-Identifier: Apache-2.0
//
// Eight registers of 16 bits: the process `registers` of models/cpu.
`default_nettype none

module cpu_registers (
    input  wire        clk,                 // everything happens at its rising edge
    input  wire [2:0]  select_a,            // the two registers to read
    input  wire [2:0]  select_b,
    input  wire [1:0]  write,               // 0 keep, 1 from the ALU, 2 from memory
    input  wire [2:0]  to,                  // the register to write
    input  wire [15:0] reply,               // the answer of memory
    input  wire [15:0] value,               // the result of the ALU
    output reg  [15:0] a,
    output reg  [15:0] b
);
    reg [15:0] bank [0:7];

    always @(posedge clk) begin
        a <= bank[select_a];
        b <= bank[select_b];
        if (write == 2'd1)
            bank[to] <= value;
        else if (write == 2'd2)
            bank[to] <= reply;
    end

    integer k;
    initial begin
        for (k = 0; k < 8; k = k + 1)
            bank[k] = 16'd0;
        a = 16'd0;
        b = 16'd0;
    end
endmodule

`default_nettype wire
