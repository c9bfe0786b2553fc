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

/// Moves the calling thread to the CPU that is so many after `cpu` among those it may use; it
/// may be moved on from there. A new thread often begins on the CPU of the one that made it, and
/// two that wait for each other there take many times as long.
void move_away_from(int cpu, unsigned by);
/// The CPU that the calling thread runs on.
int current_cpu();

/// What one look at the clock takes, measured once.
double clock_cost_ns();

} // namespace sme::engine
