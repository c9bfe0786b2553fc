/* SPDX-License-Identifier: Apache-2.0 */
/* Included before Verilator's runtime: redirects printing, file access and random numbers to
 * hooks.cpp. */
#include <cstdint>
#include <cstdio>

#include "version.h"

extern "C" int sme_module_print(const char* format, ...);
#define VL_PRINTF sme_module_print

#if !SME_RANDOM_CLASS
__attribute__((weak)) uint64_t vl_rand64();
#endif
__attribute__((weak)) uint32_t VL_RANDOM_SEEDED_II(uint32_t& seed);
__attribute__((weak)) uint32_t VL_URANDOM_SEEDED_II(uint32_t seed);

#include "verilated.h"
/* After the headers, only the definitions are affected. */
#define vl_thread_rng_rand64() vl_thread_rng_rand64 [[gnu::weak]] ()
#define vl_current_rng_rand64() vl_current_rng_rand64 [[gnu::weak]] ()

extern "C" FILE* sme_module_open(const char* name, const char* mode);
namespace std {
using ::sme_module_open;
}
#define fopen sme_module_open
