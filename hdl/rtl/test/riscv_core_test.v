// SPDX-License-Identifier: Apache-2.0
//
// riscv_core against QEMU's execution of five programs, instruction by instruction and without a
// stall, one of them twice with a reset in between; and the conditions that stop it.
module riscv_core_test;
    reg     clk = 0, rst = 1;
    reg     [31:0] code [0:2];
    wire    [69:0] retired;
    integer t, count, failures = 0, all;

    always #5 clk = !clk;

    riscv_program #("../../../models/riscv/programs/fibonacci", 2) fibonacci (.clk(clk));
    riscv_program #("../../../models/riscv/programs/sort") sort (.clk(clk));
    riscv_program #("../../../models/riscv/programs/crc") crc (.clk(clk));
    riscv_program #("../../../models/riscv/programs/instructions") instructions (.clk(clk));
    riscv_program #("riscv_modify") modify (.clk(clk));

    riscv_core dut (.clk(clk), .rst(rst), .retired(retired));

    // Runs three words; exactly `most` of them must retire, in the first cycles, and no more after
    // that.
    task stops_after;
        input integer most;
        input [95:0] words;
        begin
            @(negedge clk) rst = 1;
            {dut.memory.bank[0], dut.memory.bank[1], dut.memory.bank[2]} = words;
            @(negedge clk) rst = 0;
            if (retired !== 70'd0) failures = failures + 1;
            for (t = 0; t < 6; t = t + 1) begin
                @(negedge clk);
                if (retired[69] !== (t < most) || (t >= most && retired !== 70'd0)) begin
                    $display("failed: %h: %h in cycle %0d", words, retired, t + 1);
                    failures = failures + 1;
                end
            end
        end
    endtask

    initial begin
        stops_after(1, 96'h00300513_00000000_00300513);     // not an instruction
        stops_after(1, 96'h00300513_00000010_00300513);     // a compressed one
        stops_after(1, 96'h00300513_0000206b_00300513);     // an opcode outside RV32I
        stops_after(1, 96'h00300513_00002583_00300513);     // lw a1, 0(x0): outside of memory
        stops_after(1, 96'h00010537_00151583_00300513);     // lh a1, 1(a0): not aligned
        stops_after(1, 96'h00010537_00252583_00300513);     // lw a1, 2(a0): not aligned
        stops_after(1, 96'h00014537_00a52023_00300513);     // sw a0, 0(a0): just past memory
        stops_after(3, 96'h00014537_fea52e23_00100073);     // sw a0, -4(a0): the last word; ebreak
        stops_after(2, 96'h0000000f_00000073_00300513);     // fence; ecall
        wait (fibonacci.done && sort.done && crc.done && instructions.done && modify.done);
        count = fibonacci.rows + sort.rows + crc.rows + instructions.rows + modify.rows;
        all = failures + fibonacci.failures + sort.failures + crc.failures + instructions.failures
            + modify.failures;
        if (count != 2 * 231 + 1248 + 1248 + 1264 + 32) begin
            $display("failed: %0d rows only", count);
            all = all + 1;
        end
        if (all == 0) $display("passed: %0d instructions as in QEMU, and what stops", count);
        $finish(0);
    end
endmodule

// Runs name.hex and compares with name.csv; repeatedly, with a reset before each run.
module riscv_program #(parameter name = "", parameter times = 1) (input clk);
    reg          rst = 1, done = 0;
    wire [69:0]  retired;
    reg  [31:0]  pc, value;
    reg  [4:0]   rd;
    integer      file, read, again, rows = 0, failures = 0;
    reg [8*64:1] head;

    riscv_core #(.program_file({name, ".hex"})) core (.clk(clk), .rst(rst), .retired(retired));

    initial begin
        for (again = 0; again < times; again = again + 1) begin
            @(negedge clk) rst = 1;
            file = $fopen({name, ".csv"}, "r");
            read = $fgets(head, file);
            @(negedge clk) rst = 0;
            @(negedge clk);
            read = $fscanf(file, "1,0x%h,%d,0x%h\n", pc, rd, value);
            while (read == 3) begin
                if (retired !== {1'b1, pc, rd, value} && failures < 3) begin
                    $display("failed: %0s, row %0d: %b %h %0d %h, not 1 %h %0d %h", name, rows,
                             retired[69], retired[68:37], retired[36:32], retired[31:0], pc, rd, value);
                    failures = failures + 1;
                end
                rows = rows + 1;
                @(negedge clk);
                read = $fscanf(file, "1,0x%h,%d,0x%h\n", pc, rd, value);
            end
            if (retired !== 70'd0) failures = failures + 1;
            $fclose(file);
        end
        done = 1;
    end
endmodule
