# SPDX-License-Identifier: Apache-2.0
# A program that changes its next instruction (a word, a byte, half a word, each seen at once), and
# loads what it stored just before; a0 to a5 hold what came of it.
        .globl _start
_start: la      s0, whole
        la      s1, part
        la      s2, half
        la      s3, data
        lw      t0, 0(s3)
        li      t1, 0x12
        li      t2, 0x7ff5
        li      a0, 1

        sw      t0, 0(s0)
whole:  addi    a0, a0, 1               # becomes addi a0, a0, 7
        sb      t1, 3(s1)
part:   addi    a1, a0, 5               # becomes addi a1, a0, 0x125
        sh      t2, 2(s2)
half:   addi    a2, a1, 0               # becomes addi a2, a1, 0x7ff (the half has four bits of rs1, too)

        sw      zero, 4(s3)             # the word after data
        sb      t1, 5(s3)
        lw      a3, 4(s3)
        add     a3, a3, a3              # a load, used at once
        sh      t0, 6(s3)
        lh      a4, 6(s3)
        beq     a4, a3, 1f
        lbu     a5, 5(s3)
1:      sw      a5, -4(s0)              # not the next one: nothing changes there
        lw      x0, 0(s3)               # register 0 stays 0
        add     t3, x0, x0
        li      a7, 93
        ecall
        .balign 4
data:   .word   0x00750513              # addi a0, a0, 7
        .skip   4
