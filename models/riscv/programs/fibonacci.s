# SPDX-License-Identifier: Apache-2.0
# The first 20 Fibonacci numbers into a table, and their sum into a0: F(21) - 1 = 10945.
        .globl _start
_start: la      s0, table
        li      t0, 0                   # F(n)
        li      t1, 1                   # F(n + 1)
        li      t2, 20
1:      sw      t0, 0(s0)
        add     t3, t0, t1
        mv      t0, t1
        mv      t1, t3
        addi    s0, s0, 4
        addi    t2, t2, -1
        bnez    t2, 1b

        la      s0, table
        addi    s1, s0, 80
        li      a0, 0
2:      lw      t0, 0(s0)
        add     a0, a0, t0
        addi    s0, s0, 4
        bne     s0, s1, 2b

        li      a7, 93                  # exit
        ecall

        .balign 4
table:  .skip   80
