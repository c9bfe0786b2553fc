# SPDX-License-Identifier: Apache-2.0
# Forever: computes the CRC-32 of a text and adds it to a sum in memory. Assembled like the programs of models/riscv.
        .globl _start
_start: la      a0, text
        li      a1, 9
        li      t0, -1
        li      t5, 0xedb88320
1:      lbu     t1, 0(a0)
        xor     t0, t0, t1
        li      t2, 8
2:      andi    t3, t0, 1
        srli    t0, t0, 1
        neg     t3, t3
        and     t3, t3, t5
        xor     t0, t0, t3
        addi    t2, t2, -1
        bnez    t2, 2b
        addi    a0, a0, 1
        addi    a1, a1, -1
        bnez    a1, 1b
        not     a0, t0
        la      t4, sum
        lw      t6, 0(t4)
        add     t6, t6, a0
        sw      t6, 0(t4)
        la      t4, text                # the text becomes another one
        sb      t6, 0(t4)
        j       _start
sum:    .word   0
text:   .ascii  "123456789"
