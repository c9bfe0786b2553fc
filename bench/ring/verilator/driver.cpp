// SPDX-License-Identifier: Apache-2.0

// Runs the Verilated ring. Built with `--prefix Ring`, and with RING_TRACE if it was verilated with
// `--trace`; a third argument then names the VCD file to write. RING_THREADS is the value of
// `--threads`.

#include "../arguments.hpp"

#include "Ring.h"
#include "verilated.h"

#include <memory>

#ifdef RING_TRACE
#include "verilated_vcd_c.h"
#endif

#ifndef RING_THREADS
#define RING_THREADS 1
#endif

namespace {

#ifdef RING_TRACE
/// Every cycle is 10 time units: the clock rises at its start and falls in its middle.
void run(VerilatedContext& context, Ring& ring, int cycles, const char* file) {
    VerilatedVcdC vcd;
    ring.trace(&vcd, 99);
    vcd.open(file);
    for (int cycle = 0; cycle < cycles; ++cycle) {
        ring.clk = 1;
        ring.eval();
        vcd.dump(context.time());
        context.timeInc(5);
        ring.clk = 0;
        ring.eval();
        vcd.dump(context.time());
        context.timeInc(5);
    }
    vcd.close();
}
#else
void run(Ring& ring, int cycles) {
    for (int cycle = 0; cycle < cycles; ++cycle) {
        ring.clk = 1;
        ring.eval();
        ring.clk = 0;
        ring.eval();
    }
}
#endif

} // namespace

int main(int argc, char** argv) {
#ifdef RING_TRACE
    constexpr int own_arguments = 1;
#else
    constexpr int own_arguments = 0;
#endif
    const auto arguments = bench::parse_arguments(argc - own_arguments, argv);
    const auto context = std::make_unique<VerilatedContext>();
    context->threads(RING_THREADS); // the default is all CPUs
#ifdef RING_TRACE
    context->traceEverOn(true);
#endif
    const auto ring = std::make_unique<Ring>(context.get());
    ring->clk = 0;
    ring->eval(); // runs the initial blocks; no edge yet
#ifdef RING_TRACE
    const double seconds =
        bench::seconds_of([&] { run(*context, *ring, arguments.cycles, argv[3]); });
#else
    const double seconds = bench::seconds_of([&] { run(*ring, arguments.cycles); });
#endif
    const int token = static_cast<int>(ring->token);
    ring->final();
    return bench::report(arguments, seconds, token);
}
