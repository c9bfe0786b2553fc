// SPDX-License-Identifier: Apache-2.0
//
// CYCLES [THREADS]: runs a design and prints its speed and its last `check`. With LOOP defined,
// that is the loop in that file, otherwise Verilator's model.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#ifdef LOOP
#include LOOP

struct Model {
    std::unique_ptr<Loop> loop = std::make_unique<Loop>();
    explicit Model(unsigned) {}
    void cycle() const { loop->cycle(); }
    unsigned check() const { return loop->check; }
};
#else
#include "Design.h"
#include "verilated.h"

struct Model {
    std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>();
    std::unique_ptr<Design> design;
    explicit Model(unsigned threads) {
        context->threads(threads);
        design = std::make_unique<Design>(context.get());
        design->clk = 0;
        design->eval(); // runs the initial blocks; no edge yet
    }
    void cycle() const {
        design->clk = 0;
        design->eval();
        design->clk = 1;
        design->eval();
    }
    unsigned check() const { return design->check; }
};
#endif

int main(int count, char** argv) {
    const long cycles = std::atol(argv[1]);
    const Model model{count > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1};
    const auto begin = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle)
        model.cycle();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("cycles_per_s %.1f check %u\n", static_cast<double>(cycles) / took.count(),
                model.check());
}
