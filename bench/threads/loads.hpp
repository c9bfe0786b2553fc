// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

/// The work of a node besides adding one to its token (thesis, sections 4.1 to 4.3).
enum class Load {
    add,      ///< no other work: synchronisation-dominated
    divide,   ///< divides a long double by 3: cycle-dominated
    uneven,   ///< the same; the second half of the nodes a quarter as often
    changing, ///< only two nodes divide; which two changes during the run
};

/// The arguments of every peer.
struct Arguments {
    Load load = Load::add;
    int nodes = 0;
    int cycles = 0;
    int divisions = 10'000; ///< per node and cycle
};

inline Load load_of(const std::string& word) {
    for (const auto& [name, load] :
         {std::pair{"add", Load::add}, std::pair{"divide", Load::divide},
          std::pair{"uneven", Load::uneven}, std::pair{"changing", Load::changing}})
        if (word == name)
            return load;
    std::fprintf(stderr, "there is no load '%s'\n", word.c_str());
    std::exit(2);
}

/// LOAD NODES CYCLES DIVISIONS
inline Arguments parse_arguments(int count, char** words) {
    if (count < 5) {
        std::fprintf(stderr, "usage: %s LOAD NODES CYCLES DIVISIONS ...\n", words[0]);
        std::exit(2);
    }
    return {load_of(words[1]), std::atoi(words[2]), std::atoi(words[3]), std::atoi(words[4])};
}

/// Returns the number of divisions of a node in a cycle.
inline int divisions_of(const Arguments& arguments, int node, int cycle) {
    constexpr int periods = 20; // of a run in which costs change
    switch (arguments.load) {
    case Load::add: return 0;
    case Load::divide: return arguments.divisions;
    case Load::uneven:
        return node >= arguments.nodes / 2 ? arguments.divisions / 4 : arguments.divisions;
    case Load::changing: break;
    }
    const int period = cycle / (arguments.cycles / periods + 1);
    const int first = period * 37 % arguments.nodes;
    const int second = (first + 1 + period * 11 % (arguments.nodes - 1)) % arguments.nodes;
    return node == first || node == second ? arguments.divisions : 0;
}

/// The load of the thesis: repeatedly divides a long double by 3.
inline long double divided(int times) {
    volatile long double x = 9'223'372'036'854'775'807.0L;
    for (int k = 0; k < times; ++k)
        x = x / 3;
    return x;
}

/// Prints the one line that `bench/threads/run` reads. Returns 1 if the token of node 0 is not the
/// number of cycles, as it must be in a ring where every node adds 1.
inline int report(const Arguments& arguments, double seconds, int token) {
    std::printf("ns_per_cycle %.3f check %d\n", seconds * 1e9 / arguments.cycles, token);
    return token == arguments.cycles ? 0 : 1;
}

} // namespace bench
