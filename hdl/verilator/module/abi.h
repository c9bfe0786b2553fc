/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between a built module and the simulator. Plain C, compiled into every built
 * module; a change to this file changes the cache key of modules. */
#ifndef SME_VERILATOR_ABI_H
#define SME_VERILATOR_ABI_H

#include <stddef.h>
#include <stdint.h>

/* How a module requests the end of the run. */
enum {
    SME_MODULE_FINISH = 1,
    SME_MODULE_STOP = 2,
    SME_MODULE_FATAL = 3,
    SME_MODULE_INTERRUPTED = 4 /* the run was interrupted while the module was in an endless loop */
};

/* The module's calls to its instance. */
struct sme_module_host {
    /* Returns 0 if the text was too long: the module must not continue. */
    int (*print)(void* instance, const char* text, size_t bytes);
    /* Returns only for a finish; `message` may be empty. */
    void (*end)(void* instance, int how, const char* file, int line, const char* message);
    /* Returns the path of the file that the module reads by this name; valid until the next
     * call. */
    const char* (*find)(void* instance, const char* name);
};

typedef void (*sme_module_signal)(void* to, const char* name, unsigned bits, uint32_t code);

/* The addresses of a model's ports never change. A port has 8, 16, 32 or 64 bits, or 32-bit
 * words, the lowest first; unused high bits are zero. */
struct sme_module_abi {
    size_t ports;
    const char* const* port_names;
    /* Returns null if out of memory. */
    void* (*make)(const struct sme_module_host* host, void* instance, int plusargs,
                  const char* const* plusarg, uint32_t seed);
    void (*destroy)(void* model);
    void* (*port)(void* model, size_t number);
    void (*eval)(void* model);
    /* Runs a whole cycle: the clock low, eval, the clock high, eval. */
    void (*cycle)(void* model, unsigned char* clock);
    /* The same in parts, for loops: call `enter` if another model of this module, or none, was
     * called last on this thread; then the others. `set_clock`: the port for `entered_cycle`. */
    void (*enter)(void* model);
    void (*set_clock)(void* model, unsigned char* clock);
    void (*entered_eval)(void* model);
    void (*entered_cycle)(void* model);
    void (*set_time)(void* model, uint64_t picoseconds);
    /* Runs the `final` blocks; no code runs afterwards. */
    void (*finish)(void* model);
    /* Declares the signals of the model: scopes end with a space; signals with the same code are
     * one net. Without waveforms it declares none, and `place` and `show` do nothing. */
    void (*signals)(void* model, sme_module_signal declare, void* to);
    /* Assigns a signal's target: `bytes` bytes at an offset, at most those of its 32-bit words. */
    void (*place)(void* model, uint32_t code, size_t offset, size_t bytes);
    /* Writes all changed signals relative to `base`; at first, and after a load, all signals. */
    void (*show)(void* model, unsigned char* base);
    /* Returns the address of an inside signal for which the module was built, in the layout of
     * ports, memory elements consecutively; else null. `scope`: "top.stage[1]". */
    void* (*inside)(void* model, const char* scope, const char* name);
    /* Save all state with `write`, or load it from such bytes: 0 if they are from another
     * module. Both null if the module was built without them. */
    void (*save)(void* model, void (*write)(void* to, const void* bytes, size_t count), void* to);
    int (*load)(void* model, const void* bytes, size_t count);
    /* From now on, loops of all models poll a std::atomic<bool> that tells whether the run is
     * interrupted. */
    void (*watch)(const void* interrupted);
};

#endif
