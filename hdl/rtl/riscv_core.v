// SPDX-License-Identifier: Apache-2.0
//
// A processor for RV32I (The RISC-V Instruction Set Manual, volume I, version 2.1 of the base) with
// its memory, one instruction per cycle: the process `core` of models/riscv.
//
// retired is {valid, pc[31:0], rd[4:0], value[31:0]}: the instruction that ran in the previous
// cycle, the register it wrote (0: no register) and the value. It is a register, and the first
// instruction runs in the first cycle without reset.
//
// Two stages. *Execute* has the instruction from memory, reads registers, computes, and sends
// memory the addresses of the next instruction and of the data. *Retire*, a cycle later, has the
// word that a load reads; the value it writes to a register appears on `retired` and is forwarded
// to execute in the same cycle, so the pipeline never stalls.
//
// ecall, ebreak and all other SYSTEM instructions stop the core after they retire. An access
// outside memory or not aligned to its size, and an invalid instruction, stop it without retiring
// (the model reports faults). fence has no effect. A reset restarts at `base`; it does not clear
// memory and registers, which are 0 at power-up.
`default_nettype none

module riscv_core #(
    parameter words = 4096,             // of memory, a power of two, 2 or more
    parameter base = 32'h0001_0000,     // its first address, where execution starts
    parameter program_file = ""         // hexadecimal words: the memory contents at power-up
) (
    input  wire        clk,
    input  wire        rst,
    output wire [69:0] retired
);
    localparam place_bits = $clog2(words);
    localparam [4:0] LOAD = 5'h00, FENCE = 5'h03, IMMEDIATE = 5'h04, AUIPC = 5'h05, STORE = 5'h08,
                     REGISTER = 5'h0c, LUI = 5'h0d, BRANCH = 5'h18, JALR = 5'h19, JAL = 5'h1b,
                     SYSTEM = 5'h1c;    // bits 6 to 2 of an instruction
    localparam [31:0] start = base;

    // Execute: the fields of the instruction.
    reg         running;
    reg  [31:0] pc;
    wire [31:0] inst;
    wire [4:0]  op = inst[6:2];
    wire [2:0]  kind = inst[14:12];
    wire [31:0] imm_i = {{20{inst[31]}}, inst[31:20]};
    wire [31:0] imm_s = {{20{inst[31]}}, inst[31:25], inst[11:7]};
    wire [31:0] imm_b = {{20{inst[31]}}, inst[7], inst[30:25], inst[11:8], 1'b0};
    wire [31:0] imm_u = {inst[31:12], 12'd0};
    wire [31:0] imm_j = {{12{inst[31]}}, inst[19:12], inst[20], inst[30:21], 1'b0};

    // Retire: the state of the previous instruction.
    reg         valid;
    reg  [31:0] retired_pc;
    reg  [4:0]  rd;                     // 0: writes no register, and value is 0
    reg  [31:0] computed;
    reg         load;
    reg  [2:0]  load_kind;
    reg  [1:0]  load_lane;
    wire [31:0] value;

    // Registers. Number 0 is never written; a write is visible in the same cycle.
    reg [31:0] registers [0:31];
    wire [31:0] a = (inst[19:15] == rd) ? value : registers[inst[19:15]];
    wire [31:0] b = (inst[24:20] == rd) ? value : registers[inst[24:20]];

    integer i;
    initial
        for (i = 0; i < 32; i = i + 1)
            registers[i] = 32'd0;

    always @(posedge clk)
        if (rd != 5'd0)
            registers[rd] <= value;

    // Data in memory.
    wire [31:0]           address = a + ((op == STORE) ? imm_s : imm_i);
    wire                  in_memory = (address ^ start) >> (place_bits + 2) == 32'd0;
    wire [1:0]            lane = address[1:0];
    wire                  aligned = (kind[1:0] == 2'd0) || (kind[1:0] == 2'd1 ? !lane[0] : lane == 2'd0);
    wire [3:0]            lanes = (kind[1:0] == 2'd0) ? 4'b0001 << lane
                                : (kind[1:0] == 2'd1) ? 4'b0011 << lane : 4'b1111;
    wire                  can_access = in_memory && aligned;
    wire [place_bits-1:0] place = address[place_bits+1:2];
    wire [31:0]           word;

    // The effects of the instruction.
    wire [31:0] sum;
    riscv_alu alu (.a(a), .b((op == REGISTER) ? b : imm_i), .kind(kind),
                   .subtract(op == REGISTER && inst[30]), .arithmetic(inst[30]), .y(sum));

    reg taken;
    always @*
        case (kind)
            3'd0: taken = a == b;
            3'd1: taken = a != b;
            3'd4: taken = $signed(a) < $signed(b);
            3'd5: taken = $signed(a) >= $signed(b);
            3'd6: taken = a < b;
            3'd7: taken = a >= b;
            default: taken = 1'b0;
        endcase

    reg [31:0] next;                    // pc
    reg [31:0] result;
    reg        writes;                  // a register is written
    reg        legal;
    always @* begin
        next = pc + 32'd4;
        result = sum;
        writes = 1'b1;
        legal = inst[1:0] == 2'b11;
        case (op)
            LUI:   result = imm_u;
            AUIPC: result = pc + imm_u;
            JAL: begin
                result = pc + 32'd4;
                next = pc + imm_j;
            end
            JALR: begin
                result = pc + 32'd4;
                next = (a + imm_i) & 32'hffff_fffe;
            end
            BRANCH: begin
                writes = 1'b0;
                if (taken) next = pc + imm_b;
            end
            LOAD: legal = legal && can_access;
            STORE: begin
                writes = 1'b0;
                legal = legal && can_access;
            end
            FENCE, SYSTEM: writes = 1'b0;
            IMMEDIATE, REGISTER: ;
            default: legal = 1'b0;
        endcase
    end

    wire go = running && legal;

    always @(posedge clk)
        if (rst) begin
            running <= 1'b1;
            pc <= start;
        end else begin
            running <= go && op != SYSTEM;
            if (go) pc <= next;
        end

    wire [place_bits-1:0] fetch = rst ? start[place_bits+1:2] : next[place_bits+1:2];
    riscv_memory #(.words(words), .program_file(program_file)) memory (
        .clk(clk), .fetch(fetch), .instruction(inst), .place(place),
        .write((go && !rst && op == STORE) ? lanes : 4'd0), .data(b << {lane, 3'd0}), .word(word));

    // To the retire stage.
    always @(posedge clk)
        if (rst || !go) begin
            valid <= 1'b0;
            retired_pc <= 32'd0;
            rd <= 5'd0;
        end else begin
            valid <= 1'b1;
            retired_pc <= pc;
            rd <= writes ? inst[11:7] : 5'd0;
        end

    always @(posedge clk) begin
        computed <= result;
        load <= op == LOAD;
        load_kind <= kind;
        load_lane <= lane;
    end

    // Retire: shifts a load's word right and extends its sign.
    wire [31:0] moved = word >> {load_lane, 3'd0};
    reg  [31:0] loaded;
    always @*
        case (load_kind)
            3'd0: loaded = {{24{moved[7]}}, moved[7:0]};
            3'd1: loaded = {{16{moved[15]}}, moved[15:0]};
            3'd4: loaded = {24'd0, moved[7:0]};
            3'd5: loaded = {16'd0, moved[15:0]};
            default: loaded = moved;
        endcase

    assign value = (rd == 5'd0) ? 32'd0 : load ? loaded : computed;
    assign retired = {valid, retired_pc, rd, value};
endmodule

`default_nettype wire
