// SPDX-License-Identifier: Apache-2.0
//
// Compares rv32 with QEMU on the programs of models/riscv, instruction by instruction, with memories
// that answer at once, a cycle later and after one to five cycles. Also tests the number of primes
// below 100, and the instructions that stop the processor.
`default_nettype none

module rv32_test;
    reg     clk = 0;
    integer rows, all;

    always #5 clk = !clk;

    checked #(.name("fibonacci"), .waits(0)) fibonacci (.clk(clk));
    checked #(.name("sort"), .waits(1)) sort (.clk(clk));
    checked #(.name("crc"), .waits(9)) crc (.clk(clk));
    checked #(.name("instructions"), .waits(0)) instructions (.clk(clk));
    checked #(.name("instructions"), .waits(9)) again (.clk(clk));

    reg         primes_rst = 1;
    wire [31:0] found;
    wire        primes_trap;
    machine #(.program_file("../programs/primes.hex"), .waits(1)) primes
        (.clk(clk), .rst(primes_rst), .found(found), .trap(primes_trap));

    // Tests whether a word stops the processor as the third instruction.
    reg         rst = 1;
    wire [31:0] unused;
    wire        trap;
    integer     failures = 0, cycle;
    machine #(.waits(0)) stopped (.clk(clk), .rst(rst), .found(unused), .trap(trap));

    task stops;
        input [31:0] word;
        input        expected;
        begin
            @(negedge clk) rst = 1;
            stopped.ram[0] = 32'h00010537;      // lui a0, 0x10
            stopped.ram[1] = 32'h00150593;      // addi a1, a0, 1
            stopped.ram[2] = word;
            stopped.ram[3] = 32'h0000006f;      // j .
            @(negedge clk) rst = 0;
            repeat (24) @(negedge clk);
            if (trap !== expected || stopped.core.pc !== (expected ? 32'h10008 : 32'h1000c)) begin
                $display("failed: %h: trap %b at %h", word, trap, stopped.core.pc);
                failures = failures + 1;
            end
        end
    endtask

    initial begin
        repeat (3) @(negedge clk);
        primes_rst = 0;
        stops(32'h00000013, 0);                 // nop
        stops(32'h0000000f, 0);                 // fence
        stops(32'h00059603, 1);                 // lh a2, 0(a1): not aligned
        stops(32'h0005a603, 1);                 // lw
        stops(32'h00058603, 0);                 // lb
        stops(32'h00c59023, 1);                 // sh a2, 0(a1)
        stops(32'h00c5a023, 1);                 // sw
        stops(32'h00b58423, 0);                 // sb a1, 8(a1): over itself
        stops(32'h002500e7, 1);                 // jalr 2(a0): its target is not aligned
        stops(32'h00b50163, 0);                 // beq a0, a1, .+2: not taken
        stops(32'h00b51163, 1);                 // bne a0, a1, .+2: taken
        stops(32'h00000073, 1);                 // ecall
        stops(32'h00100073, 1);                 // ebreak
        stops(32'h00000000, 1);                 // an invalid instruction
        stops(32'h00000010, 1);                 // a compressed one
        stops(32'h02b50533, 1);                 // mul, from another extension
        stops(32'h40a595b3, 1);                 // sll with an extra bit set
        stops(32'h40155593, 0);                 // srai a1, a0, 1
        stops(32'h40151593, 1);                 // slli with an extra bit set
        stops(32'h00053603, 1);                 // ld, from RV64I
        stops(32'h00c53023, 1);                 // sd
        stops(32'h00b52263, 1);                 // an undefined branch
        stops(32'h0000006b, 1);                 // an opcode outside RV32I
        wait (fibonacci.done && sort.done && crc.done && instructions.done && again.done);
        for (cycle = 0; cycle < 30000 && found === 32'd0; cycle = cycle + 1) @(negedge clk);
        if (found !== 32'd25 || primes_trap !== 1'b0) begin
            $display("failed: %0d primes, not 25", found);
            failures = failures + 1;
        end
        rows = fibonacci.rows + sort.rows + crc.rows + instructions.rows + again.rows;
        all = failures + fibonacci.failures + sort.failures + crc.failures + instructions.failures
            + again.failures;
        if (rows != 231 + 1248 + 1248 + 2 * 1264) begin
            $display("failed: %0d rows only", rows);
            all = all + 1;
        end
        if (all == 0) $display("passed: %0d instructions as in QEMU, 25 primes, and what stops", rows);
        $finish(0);
    end
endmodule

// The core with a memory of 4096 words, which takes `waits` cycles per access; 9: one to five, in
// rotation.
module machine #(parameter program_file = "", parameter waits = 0) (
    input  wire        clk,
    input  wire        rst,
    output reg  [31:0] found,               // the word stored at 0x20000
    output wire        trap
);
    wire        valid;
    wire [31:0] address, wdata;
    wire [3:0]  strobe;
    reg  [31:0] ram [0:4095];
    reg  [2:0]  waited = 0, wanted = (waits == 9) ? 3'd1 : waits;
    wire        ready = valid && waited == wanted;
    wire [31:0] word = ram[address[13:2]];
    wire [31:0] mask = {{8{strobe[3]}}, {8{strobe[2]}}, {8{strobe[1]}}, {8{strobe[0]}}};
    reg         busy = 0;
    reg  [67:0] asked;

    rv32 core (.clk(clk), .rst(rst), .mem_valid(valid), .mem_addr(address), .mem_wdata(wdata),
               .mem_wstrb(strobe), .mem_ready(ready), .mem_rdata(ready ? word : 32'hx), .trap(trap));

    integer k;
    initial begin
        found = 0;
        for (k = 0; k < 4096; k = k + 1) ram[k] = 32'd0;
        if (program_file != "") $readmemh(program_file, ram);
    end

    always @(posedge clk) begin
        waited <= (valid && !ready && !rst) ? waited + 3'd1 : 3'd0;
        if (ready && waits == 9) wanted <= (wanted == 3'd5) ? 3'd1 : wanted + 3'd1;
        if (ready && strobe != 4'd0 && address[17] && !rst) found <= wdata;
        if (ready && strobe != 4'd0 && !address[17] && !rst)
            ram[address[13:2]] <= (word & ~mask) | (wdata & mask);
        busy <= valid && !ready && !rst;
        asked <= {address, strobe != 4'd0 ? wdata : 32'd0, strobe};
        if (busy && (!valid || asked !== {address, strobe != 4'd0 ? wdata : 32'd0, strobe}))
            $display("failed: an access changed before it was done");
        if (valid && address[1:0] !== 2'b00) $display("failed: %h is no word's address", address);
    end
endmodule

// Runs a program of models/riscv and compares it with its rows, up to the final ecall.
module checked #(parameter name = "", parameter waits = 0) (input wire clk);
    reg          rst = 1, done = 0;
    wire [31:0]  unused;
    wire         trap;
    reg  [31:0]  pc, value;
    reg  [4:0]   rd;
    integer      file, read, rows = 0, failures = 0;
    reg [8*64:1] head;

    machine #(.program_file({"../../../models/riscv/programs/", name, ".hex"}), .waits(waits)) machine
        (.clk(clk), .rst(rst), .found(unused), .trap(trap));

    wire [4:0] written = machine.core.writes ? machine.core.rd : 5'd0;

    initial begin
        file = $fopen({"../../../models/riscv/programs/", name, ".csv"}, "r");
        read = $fgets(head, file);
        read = $fscanf(file, "1,0x%h,%d,0x%h\n", pc, rd, value);
        repeat (3) @(negedge clk);
        rst = 0;
        while (!trap && failures < 3) begin
            @(negedge clk);
            if (machine.core.ends && read == 3) begin
                if ({machine.core.pc, written, (written == 5'd0) ? 32'd0 : machine.core.result}
                    !== {pc, rd, value}) begin
                    $display("failed: %0s, row %0d: %h %0d %h, not %h %0d %h", name, rows,
                             machine.core.pc, written, machine.core.result, pc, rd, value);
                    failures = failures + 1;
                end
                rows = rows + 1;
                read = $fscanf(file, "1,0x%h,%d,0x%h\n", pc, rd, value);
            end else if (machine.core.ends) begin
                $display("failed: %0s goes on behind its last row", name);
                failures = failures + 1;
            end
        end
        if (read != 3 || machine.core.pc !== pc) begin
            $display("failed: %0s stops at %h", name, machine.core.pc);
            failures = failures + 1;
        end
        rows = rows + 1;
        if ($fscanf(file, "1,0x%h,%d,0x%h\n", pc, rd, value) == 3) begin
            $display("failed: %0s stops early", name);
            failures = failures + 1;
        end
        $fclose(file);
        done = 1;
    end
endmodule

`default_nettype wire
