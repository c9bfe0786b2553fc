// SPDX-License-Identifier: Apache-2.0
// Runs a program (+program=FILE.hex) for N cycles (+cycles=N), then prints its last instruction.
`timescale 1ns/1ns
`default_nettype none

module riscv_bench;
    reg clk = 1'b0;
    wire valid, halted;
    wire [31:0] pc, value;
    wire [4:0] rd;
    reg [8 * 1024 - 1:0] program_file;
    integer cycles;

    riscv core (.clk(clk), .valid(valid), .retired_pc(pc), .retired_rd(rd), .retired_value(value), .halted(halted));

    initial begin
        if (!$value$plusargs("program=%s", program_file) || !$value$plusargs("cycles=%d", cycles)) begin
            $display("write +program=FILE.hex +cycles=N");
            $finish;
        end
        #0 $readmemh(program_file, core.mem);
        repeat (cycles) begin
            #5 clk = 1'b1;
            #5 clk = 1'b0;
        end
        $display("last %0d %0d %0d", pc, rd, value);
        $finish;
    end
endmodule
