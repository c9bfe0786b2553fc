// SPDX-License-Identifier: Apache-2.0
//
// Steps through the microcode: the process `sequencer` of models/cpu.
`default_nettype none

module cpu_sequencer #(
    parameter MICROCODE = "microcode.hex"   // {after, access, write, right, operation}, a digit each
) (
    input  wire        clk,                 // everything happens at its rising edge
    input  wire [15:0] reply,               // the answer of memory
    input  wire        equal,               // flags of the ALU
    input  wire        less,
    output reg  [1:0]  access,              // 0 none, 1 fetch, 2 load, 3 store
    output reg  [7:0]  request_pc,          // the address to fetch
    output reg  [2:0]  select_a,            // the registers to read; they hold
    output reg  [2:0]  select_b,
    output reg  [2:0]  operation,           // of the ALU
    output reg         takes_constant,      // replaces its right operand
    output reg  [15:0] constant,
    output reg  [1:0]  write,               // 0 keep, 1 from the ALU, 2 from memory
    output reg  [2:0]  to                   // the register to write
);
    localparam [3:0] DECODE = 4'd1, FETCH = 4'd2, BRANCH = 4'd3, STOP = 4'd4;
    localparam [3:0] LI = 4'd8, STORE = 4'd10, BEQ = 4'd11, BNE = 4'd12, BLT = 4'd13;

    reg [19:0] microcode [0:63];
    reg [5:0]  at;                          // the microinstruction
    reg [7:0]  pc;                          // the next instruction
    reg [15:0] instruction;

    wire [19:0] micro = microcode[at];
    wire        unused = &{1'b0, micro[15:14], micro[11:10], micro[7:5], micro[3]};    // digits are wider
    wire [3:0]  code = instruction[15:12];
    wire [3:0]  coming = reply[15:12];
    wire [15:0] offset = {{10{instruction[5]}}, instruction[5:0]};
    wire        taken = code == BEQ ? equal : code == BNE ? !equal : code == BLT && less;
    wire        reads_target = coming == STORE || coming == BEQ || coming == BNE || coming == BLT;

    always @(posedge clk) begin
        access <= micro[13:12];
        request_pc <= pc;
        write <= micro[9:8];
        to <= instruction[11:9];
        takes_constant <= micro[4];
        constant <= code == LI ? {7'd0, instruction[8:0]} : offset;
        operation <= micro[2:0];
        at <= at + 6'd1;
        case (micro[19:16])
            DECODE: begin
                at <= {coming, 2'b00};
                pc <= pc + 8'd1;
                instruction <= reply;
                select_a <= reply[8:6];
                select_b <= reads_target ? reply[11:9] : reply[5:3];
            end
            FETCH: at <= 6'd0;
            BRANCH: begin
                at <= 6'd0;
                if (taken)
                    pc <= pc + offset[7:0];
            end
            STOP: at <= at;
            default: ;
        endcase
    end

    initial begin
        $readmemh(MICROCODE, microcode);
        at = 6'd0;
        pc = 8'd0;
        instruction = 16'd0;
        access = 2'd0;
        request_pc = 8'd0;
        select_a = 3'd0;
        select_b = 3'd0;
        operation = 3'd0;
        takes_constant = 1'b0;
        constant = 16'd0;
        write = 2'd0;
        to = 3'd0;
    end
endmodule

`default_nettype wire
