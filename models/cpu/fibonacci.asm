; The Fibonacci numbers modulo 2^16, from address 192 on: 1, 1, 2, 3, ...
        li    r1, 192       ; where the next one goes
        li    r2, 220       ; where they end
        li    r3, 0         ; the one before
        li    r4, 1         ; the next one
loop:
        store r4, r1, 0
        add   r5, r3, r4
        addi  r3, r4, 0
        addi  r4, r5, 0
        addi  r1, r1, 1
        bne   r1, r2, loop
        halt
