; Sums 20 signed numbers, keeps the running sums, finds the largest, and counts the odd ones. Written
; so that all hazards occur: results used at once, loads used at once, branches right behind both.
        li    r1, 192       ; the numbers
        li    r2, 212       ; their end
        li    r3, 0         ; the sum
        li    r6, 0         ; how many are odd
        load  r4, r1, 0     ; the largest so far
        li    r7, 1
next:
        load  r5, r1, 0
        add   r3, r3, r5    ; waits for the load
        store r3, r1, 24    ; the sum, just made
        blt   r5, r4, smaller
        addi  r4, r5, 0
smaller:
        load  r0, r1, 0
        and   r0, r0, r7    ; waits for the load
        beq   r0, r7, odd   ; compares what was just made
        beq   r7, r7, even
odd:
        addi  r6, r6, 1
even:
        addi  r1, r1, 1
        bne   r1, r2, next
        li    r1, 240
        store r4, r1, 0
        store r6, r1, 1
        load  r5, r1, 0     ; what was just stored
        beq   r5, r4, good  ; waits for the load
        halt
        store r7, r1, 2     ; behind a halt: must never happen
good:
        store r5, r1, 3
        halt
        store r7, r1, 4
        halt
@ 192
        .word 17, -4, 0, 250, 249, -32768, 32767, 5, -9, 1000, 1001, -1, 2, 3, 3, -300, 77, 76, 12345, -12345
