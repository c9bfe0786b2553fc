; Insertion sort of 16 signed numbers at address 192, in place.
        li    r1, 193       ; the first number that is not in order
        li    r2, 208       ; the end
outer:
        load  r3, r1, 0     ; the number to insert
        addi  r4, r1, 0     ; where it may go
        li    r6, 192
inner:
        beq   r4, r6, found ; nothing stands before it
        load  r5, r4, -1
        blt   r3, r5, move
        beq   r0, r0, found
move:
        store r5, r4, 0
        addi  r4, r4, -1
        beq   r0, r0, inner
found:
        store r3, r4, 0
        addi  r1, r1, 1
        bne   r1, r2, outer
        halt
@ 192
        .word 31, -7, 500, 0, -32768, 12, 12, 32767, -1, 1, -500, 99, 3, -7, 256, 8
