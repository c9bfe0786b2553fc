# SPDX-License-Identifier: Apache-2.0
# Every RV32I instruction with its corner cases. What each must give comes from the other simulator, row by
# row; so nothing is compared here.
        .globl _start
        # \op of \x and \y in registers, also into a source and into x0
        .macro  registers op, x, y
        li      t0, \x
        li      t1, \y
        \op    t2, t0, t1
        \op    t2, t1, t0
        \op    t0, t0, t1
        \op    zero, t0, t1
        .endm
        # \op of corner values and each other
        .macro  corners op
        registers \op, 0, 0
        registers \op, 1, -1
        registers \op, 0x7fffffff, 1
        registers \op, 0x80000000, -1
        registers \op, 0x80000000, 0x7fffffff
        registers \op, 0x55555555, 0xaaaaaaaa
        registers \op, 0xdeadbeef, 31
        registers \op, 0x80000001, 32
        .endm
        .macro  immediates op, x
        li      t0, \x
        \op    t1, t0, 0
        \op    t1, t0, 1
        \op    t1, t0, -1
        \op    t1, t0, 2047
        \op    t1, t0, -2048
        \op    zero, t0, 5
        .endm
        .macro  shifts op, x
        li      t0, \x
        \op    t1, t0, 0
        \op    t1, t0, 1
        \op    t1, t0, 16
        \op    t1, t0, 31
        .endm
        # t2 counts the branches taken; one forward, one backward
        .macro  branches op, x, y
        li      t0, \x
        li      t1, \y
        \op    t0, t1, 1f
        addi    t2, t2, 16
1:      addi    t2, t2, 1
        j       3f
2:      addi    t2, t2, 256
        j       4f
3:      \op    t0, t1, 2b
4:
        .endm
        .macro  every_branch op
        branches \op, 0, 0
        branches \op, 0, 1
        branches \op, 1, 0
        branches \op, -1, 1
        branches \op, 1, -1
        branches \op, 0x80000000, 0x7fffffff
        .endm
_start: li      t2, 0
        corners add
        corners sub
        corners sll
        corners slt
        corners sltu
        corners xor
        corners srl
        corners sra
        corners or
        corners and
        immediates addi, 0
        immediates addi, -1
        immediates addi, 0x7fffffff
        immediates addi, 0x80000000
        immediates addi, 0x5a5a5a5a
        immediates slti, 0
        immediates slti, -1
        immediates slti, 0x7fffffff
        immediates slti, 0x80000000
        immediates slti, 0x5a5a5a5a
        immediates sltiu, 0
        immediates sltiu, -1
        immediates sltiu, 0x7fffffff
        immediates sltiu, 0x80000000
        immediates sltiu, 0x5a5a5a5a
        immediates xori, 0
        immediates xori, -1
        immediates xori, 0x7fffffff
        immediates xori, 0x80000000
        immediates xori, 0x5a5a5a5a
        immediates ori, 0
        immediates ori, -1
        immediates ori, 0x7fffffff
        immediates ori, 0x80000000
        immediates ori, 0x5a5a5a5a
        immediates andi, 0
        immediates andi, -1
        immediates andi, 0x7fffffff
        immediates andi, 0x80000000
        immediates andi, 0x5a5a5a5a
        shifts slli, 1
        shifts slli, 0x80000000
        shifts slli, -2
        shifts slli, 0x12345678
        shifts srli, 1
        shifts srli, 0x80000000
        shifts srli, -2
        shifts srli, 0x12345678
        shifts srai, 1
        shifts srai, 0x80000000
        shifts srai, -2
        shifts srai, 0x12345678
        lui     t0, 0
        lui     t0, 0xfffff
        lui     t0, 0x80000
        lui     zero, 0x12345
        auipc   t0, 0
        auipc   t0, 0xfffff
        auipc   zero, 1
        every_branch beq
        every_branch bne
        every_branch blt
        every_branch bge
        every_branch bltu
        every_branch bgeu
        # jumps: the link, the cleared lowest bit, a negative offset, a link into the source
        jal     t0, 1f
        nop
1:      jal     zero, 2f
        nop
2:      la      t1, 3f
        jalr    t0, 1(t1)
        nop
3:      la      t1, 4f + 8
        jalr    t1, -8(t1)
        nop
4:      la      t1, 5f
        jalr    zero, 0(t1)
        nop
5:
        # loads: every width, place and sign, positive and negative offsets, into x0
        la      s0, data
        lw      t0, 0(s0)
        lw      t0, 4(s0)
        lw      zero, 4(s0)
        lh      t0, 0(s0)
        lh      t0, 2(s0)
        lh      t0, 4(s0)
        lh      t0, 6(s0)
        lhu     t0, 0(s0)
        lhu     t0, 2(s0)
        lhu     t0, 4(s0)
        lhu     t0, 6(s0)
        lb      t0, 0(s0)
        lb      t0, 1(s0)
        lb      t0, 2(s0)
        lb      t0, 3(s0)
        lb      t0, 4(s0)
        lbu     t0, 0(s0)
        lbu     t0, 1(s0)
        lbu     t0, 2(s0)
        lbu     t0, 3(s0)
        lbu     t0, 4(s0)
        addi    s1, s0, 8
        lw      t0, -8(s1)
        lb      t0, -1(s1)
        # stores: the other bytes of the word stay
        li      t1, 0xcafebabe
        sw      t1, 8(s0)
        lw      t0, 8(s0)
        sb      t1, 12(s0)
        lw      t0, 12(s0)
        sb      t1, 13(s0)
        lw      t0, 12(s0)
        sb      t1, 14(s0)
        lw      t0, 12(s0)
        sb      t1, 15(s0)
        lw      t0, 12(s0)
        sh      t1, 16(s0)
        lw      t0, 16(s0)
        sh      t1, 18(s0)
        lw      t0, 16(s0)
        sw      zero, -8(s1)
        lw      t0, 0(s0)
        sb      t1, -1(s1)
        lw      t0, 4(s0)
        fence
        fence   rw, w
        addi    t0, t0, 1
        # a value in every register, and all of them added up
        li      x1, 0x81010101
        li      x2, 0x82020202
        li      x3, 0x83030303
        li      x4, 0x84040404
        li      x5, 0x85050505
        li      x6, 0x86060606
        li      x7, 0x87070707
        li      x8, 0x88080808
        li      x9, 0x89090909
        li      x10, 0x8a0a0a0a
        li      x11, 0x8b0b0b0b
        li      x12, 0x8c0c0c0c
        li      x13, 0x8d0d0d0d
        li      x14, 0x8e0e0e0e
        li      x15, 0x8f0f0f0f
        li      x16, 0x90101010
        li      x17, 0x91111111
        li      x18, 0x92121212
        li      x19, 0x93131313
        li      x20, 0x94141414
        li      x21, 0x95151515
        li      x22, 0x96161616
        li      x23, 0x97171717
        li      x24, 0x98181818
        li      x25, 0x99191919
        li      x26, 0x9a1a1a1a
        li      x27, 0x9b1b1b1b
        li      x28, 0x9c1c1c1c
        li      x29, 0x9d1d1d1d
        li      x30, 0x9e1e1e1e
        li      x31, 0x9f1f1f1f
        add     x1, x1, x2
        add     x1, x1, x3
        add     x1, x1, x4
        add     x1, x1, x5
        add     x1, x1, x6
        add     x1, x1, x7
        add     x1, x1, x8
        add     x1, x1, x9
        add     x1, x1, x10
        add     x1, x1, x11
        add     x1, x1, x12
        add     x1, x1, x13
        add     x1, x1, x14
        add     x1, x1, x15
        add     x1, x1, x16
        add     x1, x1, x17
        add     x1, x1, x18
        add     x1, x1, x19
        add     x1, x1, x20
        add     x1, x1, x21
        add     x1, x1, x22
        add     x1, x1, x23
        add     x1, x1, x24
        add     x1, x1, x25
        add     x1, x1, x26
        add     x1, x1, x27
        add     x1, x1, x28
        add     x1, x1, x29
        add     x1, x1, x30
        add     x1, x1, x31
        li      a0, 0
        li      a7, 93
        ecall

        .balign 4
data:   .word   0x8081fe7f, 0x12f4a687, 0, 0x11223344, 0x55667788
