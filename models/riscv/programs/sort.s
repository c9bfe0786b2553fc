# SPDX-License-Identifier: Apache-2.0
# Quicksort of 24 signed numbers, with recursion on a stack; then a look whether they are in order:
# a0 is the number of neighbours out of order (0), a1 the least and a2 the greatest number.
        .globl _start
        .equ    count, 24
_start: la      sp, stack_top
        la      a0, numbers
        la      a1, numbers + 4 * (count - 1)
        jal     quicksort

        la      s0, numbers
        li      t2, count - 1
        li      a0, 0
        lw      a1, 0(s0)
1:      lw      t0, 0(s0)
        lw      a2, 4(s0)
        slt     t1, a2, t0
        add     a0, a0, t1
        addi    s0, s0, 4
        addi    t2, t2, -1
        bgtz    t2, 1b
        li      a7, 93
        ecall

# Sorts the words from a0 to a1, both included.
quicksort:
        bgeu    a0, a1, 4f
        addi    sp, sp, -16
        sw      ra, 12(sp)
        sw      s0, 8(sp)
        sw      s1, 4(sp)
        mv      s1, a1
        lw      t0, 0(a1)               # the pivot is the last number
        mv      t1, a0                  # the end of those below the pivot
        mv      t2, a0
1:      beq     t2, a1, 3f
        lw      t3, 0(t2)
        bge     t3, t0, 2f
        lw      t4, 0(t1)
        sw      t3, 0(t1)
        sw      t4, 0(t2)
        addi    t1, t1, 4
2:      addi    t2, t2, 4
        j       1b
3:      lw      t3, 0(t1)               # the pivot goes between both
        sw      t0, 0(t1)
        sw      t3, 0(a1)
        mv      s0, t1
        addi    a1, t1, -4
        jal     quicksort
        addi    a0, s0, 4
        mv      a1, s1
        jal     quicksort
        lw      ra, 12(sp)
        lw      s0, 8(sp)
        lw      s1, 4(sp)
        addi    sp, sp, 16
4:      ret

        .balign 4
numbers:
        .word   503, -87, 512, 61, 908, -170, 897, 275, 653, -426, 154, 509
        .word   612, 677, -765, 703, 0x7fffffff, 61, 0, -1, 0x80000000, 462, 7, 61
        .balign 16
        .skip   512
stack_top:
