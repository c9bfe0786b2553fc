// SPDX-License-Identifier: Apache-2.0
//
// As processors.yaml, as a programmer writes it: only the group that runs is visited, of `GROUPS`.
struct Loop {
    static constexpr std::uint16_t program[] = {0x6101, 0x6207, 0x0312, 0x5431, 0x1543, 0x2654,
                                                0x3762, 0x4871, 0x0987, 0x2a95, 0x5ba2, 0x1cb3,
                                                0x0dc4, 0x2ed5, 0x0ff6, 0x7101};
    struct Processor {
        unsigned pc = 0;
        std::uint32_t r[16] = {}, acc = 0;
    };
    std::uint32_t check = 0;

    void cycle() {
        std::uint32_t next = 0;
        for (unsigned k = 0; k < 256; k += 4)
            next ^= processors_[k].acc;
        for (unsigned k = group_; k < 256; k += GROUPS)
            step(processors_[k], k);
        if (tick_ == 63)
            group_ = group_ == GROUPS - 1 ? 0 : group_ + 1;
        tick_ = (tick_ + 1) & 63;
        check = next;
    }

private:
    static void step(Processor& p, unsigned k) {
        const unsigned code = program[p.pc], operation = code >> 12;
        const unsigned to = code >> 8 & 15;
        const std::uint32_t a = p.r[code >> 4 & 15], b = p.r[code & 15];
        std::uint32_t result = 0;
        switch (operation) {
        case 0: result = a + b; break;
        case 1: result = a - b; break;
        case 2: result = a ^ b; break;
        case 3: result = a & b; break;
        case 4: result = a << (b & 31); break;
        case 5: result = a * b; break;
        default: result = (code & 255) ^ k;
        }
        p.pc = operation == 7 && p.r[to] != 0 ? code & 15 : (p.pc + 1) & 15;
        p.acc = result;
        if (operation != 7)
            p.r[to] = result;
    }

    Processor processors_[256];
    unsigned group_ = 0, tick_ = 0;
};
