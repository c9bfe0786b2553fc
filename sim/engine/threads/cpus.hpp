// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sme::engine {

/// The number of CPUs that the threads of this process may keep busy: the smaller of its affinity
/// and its cgroup's limit, rounded up; at least 1.
unsigned usable_cpus();

/// The CPUs that a cgroup's limit allows: "200000 100000" (cpu.max) is 2; 0 means no limit.
double cpus_of_limit(const std::string& cpu_max);

/// Moves the calling thread to the CPU `by` places after `cpu` among those it may use; the system
/// may move it again later. A new thread often begins on the CPU of its creator, and two threads
/// that wait for each other there take many times as long.
void move_away_from(int cpu, unsigned by);
/// The CPU that the calling thread runs on; negative if the system does not tell.
int current_cpu();

} // namespace sme::engine
