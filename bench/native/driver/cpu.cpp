// SPDX-License-Identifier: Apache-2.0
//
// CYCLES ANSWERS: the expected words of memory from 192 on, after the program has reached its end
// for the first time; it then starts again.
#include "driver.hpp"

int main(int, char** argv) {
    const long cycles = std::atol(argv[1]);
    const auto answers = bench::read_rows(argv[2]);
    bench::Model model;
    Design& design = *model.design;
    const double rate = bench::rate(cycles, [&] {
        for (long cycle = 0; cycle < cycles; ++cycle)
            model.edge();
    });
    for (std::size_t k = 0; k < answers.size(); ++k) {
        design.look = static_cast<CData>(192 + k);
        design.eval();
        if (design.seen != answers[k][0])
            return bench::wrong(cycles, "word " + std::to_string(192 + k));
    }
    return bench::report(rate, cycles,
                         std::to_string(design.value) + "," + std::to_string(design.equal) + "," +
                             std::to_string(design.less));
}
