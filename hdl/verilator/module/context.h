/* SPDX-License-Identifier: Apache-2.0 */
/* What the face of a module and the runtime's hooks know of each other. */
#ifndef SME_VERILATOR_CONTEXT_H
#define SME_VERILATOR_CONTEXT_H

#include <atomic>

#include "abi.h"
#include "version.h"
#include "verilated.h"

namespace sme_context {

/* Leaves a model that must not go on. */
struct Ended {};

/* Whose code runs on a thread is what Verilator calls the thread's context. */
struct Context : VerilatedContext {
    const sme_module_host* host;
    void* instance;
    uint64_t random;             /* the state of $random */
    uint64_t interrupted_at = 0; /* in ns: when a loop of this eval saw it first; 0: none did */
};

/* Of the run; never null. */
extern const std::atomic<bool>* interrupted;
/* Of the generator of the model that runs on this thread. */
uint64_t random_bits();
/* Leaves the model when its loop has gone on for long. */
void interrupted_in_loop();

#if SME_RANDOM_CLASS
/* The generator of an object that is randomized. It starts from the model's, where Verilator takes
 * the thread's. */
struct Generator {
    VlRNG own{random_bits()};
    operator VlRNG&() { return own; }
    uint64_t rand64() { return own.rand64(); }
    void srandom(uint64_t seed) { own.srandom(seed); }
    std::string get_randstate() const { return own.get_randstate(); }
    void set_randstate(const std::string& state) { own.set_randstate(state); }
};
#endif

inline void look() {
    if (__builtin_expect(interrupted->load(std::memory_order_relaxed), 0))
        interrupted_in_loop();
}

} // namespace sme_context

/* Before what Verilator wrote: a loop of a module may have no end. */
#ifdef SME_WATCH_LOOPS
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_SAVABLE
#include "verilated_save.h"
#endif
/* It stands in every function, as `do {} while (false)`. */
#ifndef VL_DEBUG
#undef VL_DEBUG_IF
#define VL_DEBUG_IF(...)
#endif
#if SME_RANDOM_CLASS
#define VlRNG sme_context::Generator
#endif
#define while(...) while (sme_context::look(), (__VA_ARGS__))
#endif

#endif
