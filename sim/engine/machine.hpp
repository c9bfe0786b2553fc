// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::engine {

/// How many CPUs the threads of this process may keep busy: the least of its affinity and its
/// cgroup's limit, rounded up; at least 1.
unsigned usable_cpus();

/// The CPUs that a cgroup's limit allows: "200000 100000" (cpu.max) is 2; 0: no limit.
double cpus_of_limit(const std::string& cpu_max);

/// Nanoseconds of a clock that never goes back.
std::uint64_t now_ns();

/// What one look at that clock takes, measured once.
double clock_cost_ns();

/// Tells the CPU that this is a loop that waits.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace sme::engine
