# SPDX-License-Identifier: Apache-2.0
# Counts the primes below 100 by the sieve of Eratosthenes, one byte per number, stores the count at
# 0x20000, outside memory, and starts again. There are 25: 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31,
# 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89 and 97.
        .globl _start
_start: la      s0, sieve
        li      s1, 100
        mv      t0, s0
        add     t1, s0, s1
1:      sb      zero, 0(t0)
        addi    t0, t0, 1
        bltu    t0, t1, 1b

        li      s2, 0                   # so many so far
        li      s3, 1                   # no prime
        li      t0, 2
2:      add     t2, s0, t0
        lbu     t3, 0(t2)
        bnez    t3, 4f
        addi    s2, s2, 1
        slli    t4, t0, 1
3:      bgeu    t4, s1, 4f
        add     t2, s0, t4
        sb      s3, 0(t2)
        add     t4, t4, t0
        j       3b
4:      addi    t0, t0, 1
        bltu    t0, s1, 2b

        li      t0, 0x20000
        sw      s2, 0(t0)
        j       _start

        .balign 4
sieve:
