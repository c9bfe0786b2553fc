/* SPDX-License-Identifier: Apache-2.0 */
/* What a built module and the simulator know of each other. Plain C, and a part of every module
 * that is built: whoever changes it changes the key under which modules are kept. */
#ifndef SME_VERILATOR_ABI_H
#define SME_VERILATOR_ABI_H

#include <stddef.h>
#include <stdint.h>

/* How a module asks for the end of the run. */
enum {
    SME_MODULE_FINISH = 1,
    SME_MODULE_STOP = 2,
    SME_MODULE_FATAL = 3,
    SME_MODULE_INTERRUPTED = 4 /* the run was, and the module in a loop that did not end */
};

/* What a module says to the instance that it belongs to. */
struct sme_module_host {
    /* 0 when that was too much: the module must not go on. */
    int (*print)(void* instance, const char* text, size_t bytes);
    /* Returns for a finish only; `message` may be empty. */
    void (*end)(void* instance, int how, const char* file, int line, const char* message);
    /* The path of a file that the module reads by that name; valid until the next call. */
    const char* (*find)(void* instance, const char* name);
};

typedef void (*sme_module_signal)(void* to, const char* name, unsigned bits, uint32_t code);

/* The ports of a model stay where they are: bits of 8, 16, 32, 64 or words of 32, the lowest first,
 * with unused high bits zero. */
struct sme_module_face {
    size_t ports;
    const char* const* port_names;
    /* Null when there is no memory. */
    void* (*make)(const struct sme_module_host* host, void* instance, int plusargs,
                  const char* const* plusarg, uint32_t seed);
    void (*destroy)(void* model);
    void* (*port)(void* model, size_t number);
    void (*eval)(void* model);
    /* A whole cycle: the clock low, eval, the clock high, eval. */
    void (*cycle)(void* model, unsigned char* clock);
    /* The same, in parts, for loops: `enter` when another model of this module was called on the
     * thread, or none; then the others. `set_clock`: the port for `entered_cycle`. */
    void (*enter)(void* model);
    void (*set_clock)(void* model, unsigned char* clock);
    void (*entered_eval)(void* model);
    void (*entered_cycle)(void* model);
    void (*set_time)(void* model, uint64_t picoseconds);
    /* Runs what stands in `final` blocks; nothing runs afterwards. */
    void (*finish)(void* model);
    /* Declares the signals of the model: scopes end with a blank, all with one code are one net.
     * Without waveforms it declares none, and the others do nothing. */
    void (*signals)(void* model, sme_module_signal declare, void* to);
    /* A signal goes to so many bytes, at most those of its words of 32 bits, at an offset. */
    void (*place)(void* model, uint32_t code, size_t offset, size_t bytes);
    /* Writes what has changed behind `base`; the first time, and after a load, everything. */
    void (*show)(void* model, unsigned char* base);
    /* Where a signal inside lies for which the module was built, as ports do, elements of a memory
     * one after the other; else null. `scope`: "top.stage[1]". */
    void* (*inside)(void* model, const char* scope, const char* name);
    /* All of its state to `write`, or from bytes that were written so: 0 when they are not of this
     * module. Both null when it was made without. */
    void (*save)(void* model, void (*write)(void* to, const void* bytes, size_t count), void* to);
    int (*load)(void* model, const void* bytes, size_t count);
    /* From now on loops of all models look at a std::atomic<bool>: whether the run is interrupted. */
    void (*watch)(const void* interrupted);
};

#endif
