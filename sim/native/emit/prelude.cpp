// SPDX-License-Identifier: Apache-2.0
#include "native/emit/prelude.hpp"

namespace sme::native {

std::string_view prelude() {
    return R"(typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;

/* a memory write that waits for the end of the cycle */
struct pending {
    u64 word;
    u64 value;
};

/* what observers wait for in a stretch of cycles */
struct guard {
    u64 active;
    u64 wanted;
    u64 held;
    u64 last;
};

/* where the instances lie that a function steps */
struct block {
    const u8 *read;
    u8 *write;
    u64 cycle;
    u64 random;
    u64 first;
    u64 count;
    const i64 *at;
    const i64 *const *table;
    u8 *const *data;
    struct pending *pending;
};

/* where threads meet in a cycle: each has a line, with twice the number of its last meeting, plus one
   when it leaves there, and whether it is to leave at the next one */
struct meeting {
    u64 *lines;
    u64 thread;
    u64 threads;
    void (*wait)(const struct meeting *m, u64 looks);
};

static inline void leave(const struct meeting *m, u64 number)
{
    __atomic_store_n(m->lines + m->thread * 16, number * 2 + 1, __ATOMIC_RELEASE);
}

/* waits for all; whether one of them leaves, as this one may */
static inline int meet(const struct meeting *m, u64 number, u64 leaves)
{
    u64 *own = m->lines + m->thread * 16;
    leaves |= own[1];
    __atomic_store_n(own, number * 2 + leaves, __ATOMIC_RELEASE);
    for (u64 k = 0; k < m->threads; ++k) {
        u64 seen, looks = 0;
        while ((seen = __atomic_load_n(m->lines + k * 16, __ATOMIC_ACQUIRE)) < number * 2)
            m->wait(m, ++looks);
        leaves |= seen == number * 2 + 1;
    }
    return leaves != 0;
}

static inline u64 reversed(u64 x)
{
    x = (x >> 1 & 0x5555555555555555ul) | (x & 0x5555555555555555ul) << 1;
    x = (x >> 2 & 0x3333333333333333ul) | (x & 0x3333333333333333ul) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0ful) | (x & 0x0f0f0f0f0f0f0f0ful) << 4;
    return __builtin_bswap64(x);
}

static inline u64 mixed(u64 x)
{
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ul;
    x = (x ^ (x >> 29)) * 0xa24baed4963ee407ul;
    return x ^ (x >> 32);
}

static inline u64 random_bits(u64 family, u64 instance, u64 site, u64 cycle)
{
    return mixed(mixed(mixed(family + instance) + site + 1) + cycle * 0x9e3779b97f4a7c15ul);
}
)";
}

} // namespace sme::native
