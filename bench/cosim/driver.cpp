// SPDX-License-Identifier: Apache-2.0
//
// The loop of Verilator's manual: set inputs, evaluate with the clock low, evaluate with the clock
// high. The outputs are the next inputs, as in the network. Built with `--prefix Design`;
// BENCH_CONNECT connects the ports, BENCH_CHECK is a number that depends on all cycles. With
// BENCH_TRACE it writes a waveform of all signals, once per cycle, to the file named by the
// argument after the number of cycles.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Design.h"
#include "verilated.h"
#ifdef BENCH_TRACE
#include "verilated_vcd_c.h"
#endif

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    const auto context = std::make_unique<VerilatedContext>();
    context->threads(1);
#ifdef BENCH_TRACE
    context->traceEverOn(true);
#endif
    const auto design = std::make_unique<Design>(context.get());
    BENCH_BEGIN
#ifdef BENCH_HAS_RESET
    design->rst = 1;
    for (int edge = 0; edge < 4; ++edge) {
        design->clk = edge & 1;
        design->eval();
    }
    design->rst = 0;
#endif
#ifdef BENCH_TRACE
    VerilatedVcdC wave;
    design->trace(&wave, 99);
    wave.open(argv[2]);
#endif
    const auto begin = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle) {
        BENCH_CONNECT
        design->clk = 0;
        design->eval();
#ifdef BENCH_TRACE
        wave.dump(static_cast<uint64_t>(cycle));
#endif
        design->clk = 1;
        design->eval();
    }
#ifdef BENCH_TRACE
    wave.close();
#endif
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    std::printf("ns_per_cycle %.4f check %lu\n", took.count() / static_cast<double>(cycles),
                static_cast<unsigned long>(BENCH_CHECK));
    return 0;
}
