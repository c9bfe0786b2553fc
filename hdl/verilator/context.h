/* SPDX-License-Identifier: Apache-2.0 */
/* What the face of a module and the runtime's hooks know of each other. */
#ifndef SME_VERILATOR_CONTEXT_H
#define SME_VERILATOR_CONTEXT_H

#include "abi.h"
#include "verilated.h"

namespace sme_context {

/* Leaves a model that must not go on. */
struct Ended {};

/* Whose code runs on a thread is what Verilator calls the thread's context. */
struct Context : VerilatedContext {
    const sme_module_host* host;
    void* instance;
    uint64_t random; /* the state of $random */
};

} // namespace sme_context

#endif
