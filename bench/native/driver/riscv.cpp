// SPDX-License-Identifier: Apache-2.0
//
// CYCLES [ANSWERS]: the effect of each instruction as QEMU reports it: pc, register, value.
#include "driver.hpp"

int main(int count, char** argv) {
    const long cycles = std::atol(argv[1]);
    bench::Model model;
    Design& design = *model.design;
    const auto shown = [&] {
        return std::to_string(design.valid) + "," + std::to_string(design.retired_pc) + "," +
               std::to_string(design.retired_rd) + "," + std::to_string(design.retired_value);
    };
    if (count > 2) {
        std::ifstream answers{argv[2]};
        long cycle = 0;
        for (std::string row; std::getline(answers, row);) {
            model.edge();
            ++cycle;
            if (shown() != row)
                return bench::wrong(cycle, shown());
        }
        return bench::report(0, cycle, shown());
    }
    const double rate = bench::rate(cycles, [&] {
        for (long cycle = 0; cycle < cycles; ++cycle)
            model.edge();
    });
    return bench::report(rate, cycles, shown());
}
