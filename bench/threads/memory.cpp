// SPDX-License-Identifier: Apache-2.0
//
// The bound that memory sets: a plain loop over two arrays, shared by threads with a barrier after
// every pass: NODES PASSES THREADS
// Prints the same line as the rings; a pass is a cycle.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "loads.hpp"
#include "thesis_queues.hpp"

namespace {

struct Ring {
    std::vector<int> now;
    std::vector<int> next;
    std::size_t nodes;
    int passes;
    unsigned threads;
    thesis::SpinBarrier barrier;

    /// Runs the share of thread `number` in all passes.
    void work(unsigned number) {
        const std::size_t first = nodes * number / threads;
        const std::size_t end = nodes * (number + 1) / threads;
        int* read = now.data();
        int* write = next.data();
        barrier.arrive();
        for (int pass = 0; pass < passes; ++pass) {
            if (first == 0)
                write[0] = read[nodes - 1] + 1;
            for (std::size_t k = first == 0 ? 1 : first; k < end; ++k)
                write[k] = read[k - 1] + 1;
            std::swap(read, write);
            barrier.arrive();
        }
    }
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s NODES PASSES THREADS\n", argv[0]);
        return 2;
    }
    const auto nodes = static_cast<std::size_t>(std::atoi(argv[1]));
    const int passes = std::atoi(argv[2]);
    const auto threads = static_cast<unsigned>(std::atoi(argv[3]));
    Ring ring{std::vector<int>(nodes),     std::vector<int>(nodes), nodes, passes, threads,
              thesis::SpinBarrier{threads}};

    std::vector<std::thread> others;
    for (unsigned number = 1; number < threads; ++number)
        others.emplace_back([&ring, number] { ring.work(number); });
    const auto begin = std::chrono::steady_clock::now();
    ring.work(0);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::thread& other : others)
        other.join();
    bench::Arguments arguments;
    arguments.cycles = passes;
    return bench::report(arguments, seconds, (passes % 2 == 0 ? ring.now : ring.next)[0]);
}
