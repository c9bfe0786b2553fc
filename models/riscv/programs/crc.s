# SPDX-License-Identifier: Apache-2.0
# The length of a string, its copy in reverse, and the CRC-32 (of Ethernet and zip: 0xedb88320) of both;
# for "123456789" the published check value is 0xcbf43926. Works with single bytes.
        .globl _start
_start: la      a0, text
        jal     length
        mv      s0, a0                  # 9
        la      a0, text
        mv      a1, s0
        jal     crc
        mv      s1, a0                  # 0xcbf43926

        la      t0, text                # the copy in reverse
        la      t1, copy
        add     t1, t1, s0
        sb      zero, 0(t1)
1:      addi    t1, t1, -1
        lb      t2, 0(t0)
        addi    t0, t0, 1
        sb      t2, 0(t1)
        la      t3, copy
        bne     t1, t3, 1b

        la      a0, copy
        mv      a1, s0
        jal     crc
        mv      s2, a0                  # the CRC of "987654321"
        mv      a0, s1
        li      a7, 93
        ecall

# a0: the length of the string at a0.
length: mv      t0, a0
1:      lbu     t1, 0(t0)
        addi    t0, t0, 1
        bnez    t1, 1b
        sub     a0, t0, a0
        addi    a0, a0, -1
        ret

# a0: the CRC-32 of the a1 bytes at a0.
crc:    li      t0, -1
        li      t5, 0xedb88320
        beqz    a1, 3f
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
3:      not     a0, t0
        ret

text:   .asciz  "123456789"
copy:   .skip   16
