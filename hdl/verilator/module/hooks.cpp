// SPDX-License-Identifier: Apache-2.0
//
// Replaces the functions with which Verilator's runtime prints and ends the program. Compiled once
// for all modules that share a runtime.
#include <chrono>
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

namespace sme_context {

namespace {

const std::atomic<bool> never{false};
std::atomic<bool> cut{false}; // an eval was aborted: the cycle is incomplete

} // namespace

const std::atomic<bool>* interrupted = &never;

void interrupted_in_loop() {
    constexpr uint64_t enough_ns = 400'000'000;
    Context* const model = current();
    if (model->is_destroyed)
        return;
    const uint64_t now =
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                  std::chrono::steady_clock::now().time_since_epoch())
                                  .count());
    if (model->interrupted_at == 0)
        model->interrupted_at = now;
    if (!cut.load(std::memory_order_relaxed) && now - model->interrupted_at < enough_ns)
        return;
    cut.store(true, std::memory_order_relaxed);
    end_by(SME_MODULE_INTERRUPTED, "", 0, "");
}

} // namespace sme_context

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

extern "C" FILE* sme_module_open(const char* name, const char* mode) {
    sme_context::Context* const model = current();
    return std::fopen(mode[0] == 'r' ? model->host->find(model->instance, name) : name, mode);
}

// Verilator's own generator belongs to a thread (version.h), so $random would depend on the thread
// that runs an instance. SplitMix64 (Steele, Lea and Flood, 2014).
static uint64_t next_random(uint64_t& state) {
    uint64_t bits = state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}
uint64_t sme_context::random_bits() {
    return next_random(current()->random);
}
#if SME_RANDOM_CLASS
#undef VlRNG
uint64_t VlRNG::vl_thread_rng_rand64() VL_MT_SAFE {
    return sme_context::random_bits();
}
#else
uint64_t vl_rand64() VL_MT_SAFE {
    return sme_context::random_bits();
}
#endif
#if SME_RANDOM_OF_PROCESS
uint64_t VlRNG::vl_current_rng_rand64() VL_MT_SAFE {
    return sme_context::random_bits();
}
#endif
// A call with a seed draws only from that seed: $random as in IEEE 1364-2005, 17.9.3.
IData VL_RANDOM_SEEDED_II(IData& seed) VL_MT_SAFE {
    return VL_DIST_UNIFORM(seed, 0x80000000U, 0x7fffffffU);
}
IData VL_URANDOM_SEEDED_II(IData seed) VL_MT_SAFE {
    uint64_t state = seed;
    return static_cast<IData>(next_random(state));
}

void vl_warn(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
    const std::string text = message;
    if (text == "$readmem file not found") {
        end_by(SME_MODULE_FATAL, "", 0,
               ("there is no file '" + std::string{file} +
                "', in the working folder or beside the files of the module")
                   .c_str());
    } else if (file && file[0])
        sme_module_print("%%Warning: %s:%d: %s\n", file, line, message);
    else
        sme_module_print("%%Warning: %s\n", message);
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
