// SPDX-License-Identifier: Apache-2.0
//
// A small processor for RV32I (The RISC-V Instruction Set Manual, volume I, version 2.1 of the base)
// that takes several cycles per instruction and has one memory port, like soft cores that save area.
//
// While mem_valid is 1, an access waits: mem_addr, mem_wdata and mem_wstrb are stable until mem_ready
// is 1; mem_rdata is then the word of a read.
//
// 1. fetch: waits for the instruction. 2. read: reads its operands from the registers. 3. execute:
// computes, and finishes all instructions except loads and stores. 4. access: waits for memory.
//
// ecall, ebreak and all other SYSTEM instructions, an invalid instruction, and an unaligned address
// stop it in `execute`; pc is then the address of the instruction. fence does nothing. A reset
// restarts at `base`; it does not clear registers, which are 0 at power-up.
`default_nettype none

module rv32 #(
    parameter [31:0] base = 32'h0001_0000   // the address of the first instruction
) (
    input  wire        clk,
    input  wire        rst,
    output reg         mem_valid,
    output reg  [31:0] mem_addr,            // a word address
    output reg  [31:0] mem_wdata,
    output reg  [3:0]  mem_wstrb,           // the bytes to write; 0 for a read
    input  wire        mem_ready,
    input  wire [31:0] mem_rdata,
    output reg         trap                 // the processor has stopped
);
    localparam [4:0] LOAD = 5'h00, FENCE = 5'h03, IMMEDIATE = 5'h04, AUIPC = 5'h05, STORE = 5'h08,
                     REGISTER = 5'h0c, LUI = 5'h0d, BRANCH = 5'h18, JALR = 5'h19, JAL = 5'h1b;
    localparam [1:0] FETCH = 2'd0, READ = 2'd1, EXECUTE = 2'd2, ACCESS = 2'd3;

    reg  [1:0]  state;
    reg  [31:0] pc;
    reg  [31:0] inst;
    reg  [31:0] a;                          // the values of rs1 and rs2
    reg  [31:0] b;
    reg  [31:0] registers [0:31];           // number 0 is never written

    // The fields of the instruction.
    wire [4:0]  op = inst[6:2];
    wire [2:0]  kind = inst[14:12];
    wire [4:0]  rd = inst[11:7];
    wire [31:0] imm_i = {{20{inst[31]}}, inst[31:20]};
    wire [31:0] imm_s = {{20{inst[31]}}, inst[31:25], inst[11:7]};
    wire [31:0] imm_b = {{20{inst[31]}}, inst[7], inst[30:25], inst[11:8], 1'b0};
    wire [31:0] imm_u = {inst[31:12], 12'd0};
    wire [31:0] imm_j = {{12{inst[31]}}, inst[19:12], inst[20], inst[30:21], 1'b0};

    // Arithmetic.
    wire [31:0] operand = (op == REGISTER) ? b : imm_i;
    wire [4:0]  by = operand[4:0];
    wire [31:0] sign = (inst[30] && a[31]) ? ~(32'hffff_ffff >> by) : 32'd0;
    reg  [31:0] computed;
    always @*
        case (kind)
            3'd0: computed = (op == REGISTER && inst[30]) ? a - operand : a + operand;
            3'd1: computed = a << by;
            3'd2: computed = {31'd0, $signed(a) < $signed(operand)};
            3'd3: computed = {31'd0, a < operand};
            3'd4: computed = a ^ operand;
            3'd5: computed = (a >> by) | sign;
            3'd6: computed = a | operand;
            3'd7: computed = a & operand;
        endcase

    // The next instruction.
    wire        less = kind[1] ? a < b : $signed(a) < $signed(b);
    wire        holds = (kind[2] ? less : a == b) != kind[0];
    wire        jumps = op == JAL || op == JALR || (op == BRANCH && holds);
    wire [31:0] sum = a + imm_i;
    wire [31:0] target = (op == JALR) ? {sum[31:1], 1'b0} : pc + ((op == JAL) ? imm_j : imm_b);
    wire [31:0] after = pc + 32'd4;
    wire [31:0] next = jumps ? target : after;

    // Memory.
    wire        accesses = op == LOAD || op == STORE;
    wire [31:0] address = (op == STORE) ? a + imm_s : sum;
    wire [1:0]  lane = address[1:0];
    wire        aligned = (kind[1:0] == 2'd0) || (kind[1:0] == 2'd1 ? !lane[0] : lane == 2'd0);
    wire [3:0]  lanes = (kind[1:0] == 2'd0) ? 4'b0001 << lane
                      : (kind[1:0] == 2'd1) ? 4'b0011 << lane : 4'b1111;
    wire [31:0] shifted = mem_rdata >> {lane, 3'd0};
    reg  [31:0] loaded;
    always @*
        case (kind)
            3'd0:    loaded = {{24{shifted[7]}}, shifted[7:0]};
            3'd1:    loaded = {{16{shifted[15]}}, shifted[15:0]};
            3'd4:    loaded = {24'd0, shifted[7:0]};
            3'd5:    loaded = {16'd0, shifted[15:0]};
            default: loaded = shifted;
        endcase

    // The value to write to a register, and whether the instruction is valid.
    reg  [31:0] result;
    reg         writes;
    reg         legal;
    wire        plain = inst[31:25] == 7'd0;
    wire        alternative = inst[31:25] == 7'h20;
    always @* begin
        result = computed;
        writes = 1'b1;
        legal = 1'b1;
        case (op)
            LUI:      result = imm_u;
            AUIPC:    result = pc + imm_u;
            JAL:      result = after;
            JALR: begin
                result = after;
                legal = kind == 3'd0;
            end
            BRANCH: begin
                writes = 1'b0;
                legal = kind[2:1] != 2'b01;
            end
            LOAD: begin
                result = loaded;
                legal = kind != 3'd3 && kind[2:1] != 2'b11;
            end
            STORE: begin
                writes = 1'b0;
                legal = kind < 3'd3;
            end
            IMMEDIATE: legal = kind[1:0] != 2'b01 || plain || (alternative && kind[2]);
            REGISTER:  legal = plain || (alternative && (kind == 3'd0 || kind == 3'd5));
            FENCE: begin
                writes = 1'b0;
                legal = kind == 3'd0;
            end
            default: legal = 1'b0;
        endcase
        if (inst[1:0] != 2'b11 || (accesses && !aligned) || next[1:0] != 2'b00)
            legal = 1'b0;
    end

    wire ends = (state == EXECUTE && legal && !accesses) || (state == ACCESS && mem_ready);

    always @(posedge clk)
        if (ends && writes && rd != 5'd0)
            registers[rd] <= result;

    always @(posedge clk)
        if (rst) begin
            state <= FETCH;
            pc <= base;
            mem_valid <= 1'b1;
            mem_addr <= base;
            mem_wstrb <= 4'd0;
            trap <= 1'b0;
        end else if (ends) begin
            state <= FETCH;
            pc <= next;
            mem_valid <= 1'b1;
            mem_addr <= next;
            mem_wstrb <= 4'd0;
        end else
            case (state)
                FETCH:
                    if (mem_ready) begin
                        inst <= mem_rdata;
                        mem_valid <= 1'b0;
                        state <= READ;
                    end
                READ: begin
                    a <= registers[inst[19:15]];
                    b <= registers[inst[24:20]];
                    state <= EXECUTE;
                end
                EXECUTE:
                    if (!legal)
                        trap <= 1'b1;
                    else begin
                        mem_valid <= 1'b1;
                        mem_addr <= {address[31:2], 2'b00};
                        mem_wdata <= b << {lane, 3'd0};
                        mem_wstrb <= (op == STORE) ? lanes : 4'd0;
                        state <= ACCESS;
                    end
                default: ;                  // access waits
            endcase

    integer i;
    initial
        for (i = 0; i < 32; i = i + 1)
            registers[i] = 32'd0;
endmodule

`default_nettype wire
