// SPDX-License-Identifier: Apache-2.0
//
// CYCLES INPUTS ANSWERS: feeds the rows repeatedly; an output with its highest bit set is a result.
// BENCH_IN and BENCH_OUT are the ports, BENCH_VALID the number of the highest bit of the output.
// With BENCH_PERIODIC the results repeat too; otherwise only those of the first round are known.
#include "driver.hpp"

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    const auto inputs = bench::read_rows(argv[2]), answers = bench::read_rows(argv[3]);
    bench::Model model;
    Design& design = *model.design;
    design.rst = 1;
    model.edge();
    model.edge();
    design.rst = 0;

    std::size_t row = 0, next = 0;
    long last = 0, bad = -1;
    std::string shown;
    const auto step = [&] {
        bench::put(design.BENCH_IN, inputs[row]);
        row = row + 1 == inputs.size() ? 0 : row + 1;
        model.edge();
    };
    const double rate = bench::rate(cycles, [&] {
        for (long cycle = 1; cycle <= cycles; ++cycle) {
            step();
            if ((bench::word(design.BENCH_OUT, BENCH_VALID / 32) >> BENCH_VALID % 32 & 1) == 0)
                continue;
            last = cycle;
            if (next < answers.size() && !bench::same(design.BENCH_OUT, answers[next]) && bad < 0)
                bad = cycle;
            ++next;
            if (BENCH_PERIODIC && next == answers.size())
                next = 0;
        }
    });
    if (bad >= 0)
        return bench::wrong(bad, "a result");
    if (bench::word(design.BENCH_OUT, BENCH_VALID / 32) >> BENCH_VALID % 32 & 1)
        shown = bench::hex(design.BENCH_OUT);
    return bench::report(rate, last, shown.empty() ? "none" : shown);
}
