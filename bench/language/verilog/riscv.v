// SPDX-License-Identifier: Apache-2.0
// RV32I, one instruction per cycle: the design of models/riscv.
`default_nettype none

module riscv #(
    parameter PROGRAM = "",                 // a file with the initial memory; empty: zeros
    parameter WORDS = 4096,                 // size of memory, a power of two
    parameter BASE = 32'h10000              // its first address, where programs begin
) (
    input  wire        clk,                 // everything happens at its rising edge
    output reg         valid,               // an instruction retired
    output reg  [31:0] retired_pc,          // its address
    output reg  [4:0]  retired_rd,          // the register it wrote, or 0
    output reg  [31:0] retired_value,       // the value it wrote there
    output reg         halted               // after ecall or ebreak
);
    localparam PLACE = $clog2(WORDS);
    localparam [6:0] LOAD = 7'h03, FENCE = 7'h0f, IMMEDIATE = 7'h13, AUIPC = 7'h17, STORE = 7'h23, REGISTER = 7'h33,
                     LUI = 7'h37, BRANCH = 7'h63, JALR = 7'h67, JAL = 7'h6f, SYSTEM = 7'h73;

    reg [31:0] mem [0:WORDS - 1];
    reg [31:0] regs [0:31];
    reg [31:0] pc;

    wire [31:0] inst = mem[pc[PLACE + 1:2]];
    wire [6:0]  op = inst[6:0];
    wire [4:0]  rd = inst[11:7];
    wire [2:0]  kind = inst[14:12];
    wire [31:0] a = regs[inst[19:15]];
    wire [31:0] b = regs[inst[24:20]];
    wire [31:0] imm_i = {{20{inst[31]}}, inst[31:20]};
    wire [31:0] imm_s = {{20{inst[31]}}, inst[31:25], inst[11:7]};
    wire [31:0] imm_b = {{19{inst[31]}}, inst[31], inst[7], inst[30:25], inst[11:8], 1'b0};
    wire [31:0] imm_u = {inst[31:12], 12'b0};
    wire [31:0] imm_j = {{11{inst[31]}}, inst[31], inst[19:12], inst[20], inst[30:21], 1'b0};
    wire [31:0] operand = op == REGISTER ? b : imm_i;
    wire [4:0]  by = operand[4:0];
    wire [31:0] address = a + (op == STORE ? imm_s : imm_i);
    wire [31:0] offset = address ^ BASE;
    wire [4:0]  lane = {address[1:0], 3'b0};
    wire [31:0] word = mem[address[PLACE + 1:2]];
    wire [31:0] loaded = word >> lane;
    wire [31:0] mask = kind[1:0] == 0 ? 32'hff << lane : kind[1:0] == 1 ? 32'hffff << lane : 32'hffffffff;
    wire        aligned = kind[1:0] == 0 || (kind[1:0] == 1 ? !address[0] : address[1:0] == 0);
    wire        has_result = op != BRANCH && op != STORE && op != FENCE && op != SYSTEM && rd != 0;

    reg [31:0] alu, result;
    reg        taken;

    always @* begin
        case (kind)
            3'd0: alu = op == REGISTER && inst[30] ? a - operand : a + operand;
            3'd1: alu = a << by;
            3'd2: alu = {31'b0, $signed(a) < $signed(operand)};
            3'd3: alu = {31'b0, a < operand};
            3'd4: alu = a ^ operand;
            3'd5: if (inst[30]) alu = $signed(a) >>> by; else alu = a >> by;
            3'd6: alu = a | operand;
            default: alu = a & operand;
        endcase
    end

    always @* begin
        case (kind)
            3'd0: taken = a == b;
            3'd1: taken = a != b;
            3'd4: taken = $signed(a) < $signed(b);
            3'd5: taken = $signed(a) >= $signed(b);
            3'd6: taken = a < b;
            3'd7: taken = a >= b;
            default: taken = 1'b0;
        endcase
    end

    always @* begin
        case (op)
            LUI: result = imm_u;
            AUIPC: result = pc + imm_u;
            JAL, JALR: result = pc + 4;
            LOAD:
                case (kind)
                    3'd0: result = {{24{loaded[7]}}, loaded[7:0]};
                    3'd1: result = {{16{loaded[15]}}, loaded[15:0]};
                    3'd4: result = {24'b0, loaded[7:0]};
                    3'd5: result = {16'b0, loaded[15:0]};
                    default: result = loaded;
                endcase
            default: result = alu;
        endcase
    end

    always @(posedge clk)
        if (!halted) begin
            pc <= pc + 4;
            case (op)
                JAL: pc <= pc + imm_j;
                JALR: pc <= (a + imm_i) & 32'hfffffffe;
                BRANCH: if (taken) pc <= pc + imm_b;
                STORE: mem[address[PLACE + 1:2]] <= (word & ~mask) | ((b << lane) & mask);
                SYSTEM: halted <= 1'b1;
                LOAD, LUI, AUIPC, IMMEDIATE, REGISTER, FENCE: ;
                default: begin
                    $display("no instruction: %h at %h", inst, pc);
                    $finish;
                end
            endcase
            if ((op == LOAD || op == STORE) && (offset >= 4 * WORDS || !aligned)) begin
                $display("a bad address: %h at %h", address, pc);
                $finish;
            end
            if (has_result)
                regs[rd] <= result;
            valid <= 1'b1;
            retired_pc <= pc;
            retired_rd <= has_result ? rd : 5'd0;
            retired_value <= has_result ? result : 32'd0;
        end

    integer k;
    initial begin
        for (k = 0; k < WORDS; k = k + 1)
            mem[k] = 32'd0;
        if (PROGRAM != "")
            $readmemh(PROGRAM, mem);
        for (k = 0; k < 32; k = k + 1)
            regs[k] = 32'd0;
        pc = BASE;
        valid = 1'b0;
        retired_pc = 32'd0;
        retired_rd = 5'd0;
        retired_value = 32'd0;
        halted = 1'b0;
    end
endmodule
