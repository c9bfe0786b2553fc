// SPDX-License-Identifier: Apache-2.0

// Runs an exported, Verilated design: `CYCLES [FILE]`. Built with `--prefix Design`; with
// DESIGN_TRACE as VerilatedVcdC or VerilatedFstC, it writes that trace.

#include <cstdlib>

#include "Design.h"
#include "verilated.h"

#ifdef DESIGN_TRACE
#ifdef DESIGN_FST
#include "verilated_fst_c.h"
#else
#include "verilated_vcd_c.h"
#endif
#endif

int main(int, char** argv) {
    VerilatedContext context;
#ifdef DESIGN_TRACE
    context.traceEverOn(true);
#endif
    Design design{&context};
#ifdef DESIGN_TRACE
    DESIGN_TRACE trace;
    design.trace(&trace, 99);
    trace.open(argv[2]);
#endif
    const long cycles = std::atol(argv[1]);
    constexpr long reset = 2; // cycles; Verilator sees no edge in the first evaluation
    for (long cycle = 0; cycle < cycles + reset; ++cycle) {
        design.rst = cycle < reset;
        for (int clock = 1; clock >= 0; --clock) {
            design.clk = static_cast<unsigned char>(clock);
            design.eval();
#ifdef DESIGN_TRACE
            trace.dump(context.time());
#endif
            context.timeInc(5);
        }
    }
#ifdef DESIGN_TRACE
    trace.close();
#endif
    design.final();
    return 0;
}
