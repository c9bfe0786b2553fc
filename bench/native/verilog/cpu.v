// SPDX-License-Identifier: Apache-2.0
//
// The processor of models/cpu: four modules with registered outputs.
`default_nettype none

module cpu #(
    parameter PROGRAM = "program.hex",      // the initial memory
    parameter MICROCODE = "microcode.hex"   // a word for each cycle of each instruction
) (
    input  wire        clk,                 // everything happens at its rising edge
    input  wire [7:0]  look,                // an address to observe
    output wire [15:0] seen,                // the word at this address
    output wire [15:0] value,               // the result of the ALU
    output wire        equal,               // its operands were equal
    output wire        less                 // the second was less
);
    wire [1:0]  access, write;
    wire [7:0]  pc;
    wire [15:0] reply, a, b, constant;
    wire [2:0]  select_a, select_b, to, operation;
    wire        takes_constant;

    cpu_sequencer #(.MICROCODE(MICROCODE)) sequencer (
        .clk(clk), .reply(reply), .equal(equal), .less(less), .access(access), .request_pc(pc),
        .select_a(select_a), .select_b(select_b), .operation(operation), .takes_constant(takes_constant),
        .constant(constant), .write(write), .to(to));
    cpu_registers registers (
        .clk(clk), .select_a(select_a), .select_b(select_b), .write(write), .to(to), .reply(reply), .value(value),
        .a(a), .b(b));
    cpu_alu alu (
        .clk(clk), .a(a), .b(b), .operation(operation), .takes_constant(takes_constant), .constant(constant),
        .value(value), .equal(equal), .less(less));
    cpu_memory #(.PROGRAM(PROGRAM)) memory (
        .clk(clk), .access(access), .pc(pc), .address(value[7:0]), .data(b), .look(look), .reply(reply), .seen(seen));
endmodule

`default_nettype wire
