/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the abi of a module and the runtime's hooks. */
#ifndef SME_VERILATOR_CONTEXT_H
#define SME_VERILATOR_CONTEXT_H

#include <atomic>

#include "abi.h"
#include "version.h"
#include "verilated.h"

namespace sme_context {

/* Thrown to leave a model that must not continue. */
struct Ended {};

/* The context of the model that runs on a thread; Verilator calls it the thread's context. */
struct Context : VerilatedContext {
    const sme_module_host* host;
    void* instance;
    uint64_t random;             /* the state of $random */
    uint64_t interrupted_at = 0; /* in ns: when a loop of this eval first saw the interrupt; 0:
                                  * not yet */
    bool is_destroyed = false;   /* no loop may leave a destructor */
};

/* The run's interrupt flag; never null. */
extern const std::atomic<bool>* interrupted;
/* Returns bits from the generator of the model that runs on this thread. */
uint64_t random_bits();
/* Leaves the model if its loop has run for a long time. */
void interrupted_in_loop();

#if SME_RANDOM_CLASS
/* The generator of a randomized object. Seeded from the model's generator, where Verilator uses
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

/* Included before Verilator's output: a loop of a module may be endless. */
#ifdef SME_WATCH_LOOPS
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_SAVABLE
#include "verilated_save.h"
#endif
/* Occurs in every function, as `do {} while (false)`. */
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
