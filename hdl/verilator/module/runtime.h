/* SPDX-License-Identifier: Apache-2.0 */
/* Before Verilator's runtime: what modules print, the files that they read, and their random
 * numbers, come from hooks.cpp. */
#include <cstdint>
#include <cstdio>

extern "C" int sme_module_print(const char* format, ...);
#define VL_PRINTF sme_module_print

__attribute__((weak)) uint64_t vl_rand64();
__attribute__((weak)) uint32_t VL_RANDOM_SEEDED_II(uint32_t& seed);
__attribute__((weak)) uint32_t VL_URANDOM_SEEDED_II(uint32_t seed);

extern "C" FILE* sme_module_open(const char* name, const char* mode);
namespace std {
using ::sme_module_open;
}
#define fopen sme_module_open
