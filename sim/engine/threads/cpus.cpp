// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/cpus.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <sched.h>
#include <unistd.h>

namespace sme::engine {

namespace {

unsigned cpus_of_affinity() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        return static_cast<unsigned>(CPU_COUNT(&set));
    return static_cast<unsigned>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L)); // beyond 1024 CPUs
}

std::string first_line(const std::string& path) {
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    return line;
}

/// The smallest limit of this process's cgroup and its ancestors; 0 if unlimited.
double cpus_of_cgroup() {
    double least = 0;
    const auto take = [&](double limit) {
        if (limit > 0)
            least = least > 0 ? std::min(least, limit) : limit;
    };
    std::ifstream groups{"/proc/self/cgroup"};
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with("0::/")) // version 2
            continue;
        for (std::string path = line.substr(3);; path = path.substr(0, path.rfind('/'))) {
            take(cpus_of_limit(first_line("/sys/fs/cgroup" + path + "/cpu.max")));
            if (path.empty() || path == "/")
                break;
        }
    }
    const std::string folder = "/sys/fs/cgroup/cpu/"; // version 1
    take(cpus_of_limit(first_line(folder + "cpu.cfs_quota_us") + " " +
                       first_line(folder + "cpu.cfs_period_us")));
    return least;
}

} // namespace

double cpus_of_limit(const std::string& cpu_max) {
    std::istringstream text{cpu_max};
    double quota = 0, period = 0;
    if (!(text >> quota >> period) || quota <= 0 || period <= 0)
        return 0; // "max", or -1 in version 1
    return quota / period;
}

unsigned usable_cpus() {
    const unsigned affinity = cpus_of_affinity();
    const double limit = cpus_of_cgroup();
    if (limit <= 0)
        return affinity;
    return std::clamp(static_cast<unsigned>(std::ceil(limit)), 1u, affinity);
}

int current_cpu() {
    return ::sched_getcpu();
}

void move_away_from(int cpu, unsigned by) {
    cpu_set_t allowed;
    if (cpu < 0 || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return; // its current CPU is a good one
    auto to = static_cast<std::size_t>(cpu);
    if (to >= CPU_SETSIZE || !CPU_ISSET(to, &allowed))
        return;
    for (unsigned k = 0; k < by; ++k) // no list of them: a new thread may have no memory
        do
            to = (to + 1) % CPU_SETSIZE;
        while (!CPU_ISSET(to, &allowed));
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(to, &only);
    if (::sched_setaffinity(0, sizeof only, &only) == 0) // takes effect at once
        ::sched_setaffinity(0, sizeof allowed, &allowed);
}

} // namespace sme::engine
