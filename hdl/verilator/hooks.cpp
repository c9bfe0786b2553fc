// SPDX-License-Identifier: Apache-2.0
//
// What Verilator's runtime calls instead of printing and ending the program. Built once for all
// modules that share a runtime.
#include <cstdarg>
#include <cstdio>
#include <string>

#include "context.h"

namespace {

sme_context::Context* current() {
    return static_cast<sme_context::Context*>(Verilated::threadContextp());
}

void end_by(int how, const char* file, int line, const char* message) {
    current()->host->end(current()->instance, how, file ? file : "", line, message ? message : "");
    if (how != SME_MODULE_FINISH)
        throw sme_context::Ended{};
}

} // namespace

extern "C" int sme_module_print(const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int bytes = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    std::string text(bytes > 0 ? static_cast<size_t>(bytes) : 0, ' ');
    if (bytes > 0)
        std::vsnprintf(&text[0], text.size() + 1, format, again);
    va_end(again);
    sme_context::Context* const model = current();
    if (!model->host->print(model->instance, text.data(), text.size()))
        throw sme_context::Ended{};
    return bytes;
}

// Verilator's own generator belongs to a thread: with it, what $random gives would depend on which
// thread runs which instance. SplitMix64 (Steele, Lea and Flood, 2014).
uint64_t vl_rand64() VL_MT_SAFE {
    uint64_t bits = current()->random += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}
IData VL_RANDOM_SEEDED_II(IData& seed) VL_MT_SAFE {
    current()->random = seed;
    seed = static_cast<IData>(vl_rand64());
    return static_cast<IData>(vl_rand64());
}
IData VL_URANDOM_SEEDED_II(IData seed) VL_MT_SAFE {
    current()->random = seed;
    return static_cast<IData>(vl_rand64());
}

void vl_finish(const char* file, int line, const char*) VL_MT_UNSAFE {
    end_by(SME_MODULE_FINISH, file, line, "");
}
void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
    end_by(SME_MODULE_STOP, file, line, "");
}
void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
    end_by(SME_MODULE_FATAL, file, line, message);
    throw sme_context::Ended{};
}
