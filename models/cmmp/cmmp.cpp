// SPDX-License-Identifier: Apache-2.0
// Processes on C.mmp that compute and wait for each other.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "lanes.hpp"
#include "machine.hpp"
#include "stage.hpp"
#include "support/program.hpp"

namespace {

using namespace models;
using namespace models::cmmp;

struct Options {
    MachineOptions machine;
    std::uint64_t compute_us = 100'000;
    std::uint64_t stages = 20;
    bool crossover = false;
    bool tables = false;
    std::string lanes;
    std::string trace;
};

/// Stages in which every process does the same amount of work.
class Stages {
public:
    Stages(unsigned processes, std::uint64_t stages, std::uint64_t amount)
        : stage_{processes}, amount_{amount}, stages_{stages} {}

    Answer next(unsigned process, std::uint64_t, std::uint64_t cycle) {
        const Stage::Step step = stage_.next(process);
        if (step == Stage::Step::work)
            return Stage::work(amount_, 0);
        if (step == Stage::Step::wait)
            return Stage::wait();
        ends.push_back(cycle);
        return stage_.release(process);
    }
    bool ended() const { return ends.size() == stages_; }
    static std::uint64_t perform(std::uint64_t) { return 0; }

    std::vector<std::uint64_t> ends; ///< of the stages, in cycles

private:
    Stage stage_;
    std::uint64_t amount_;
    std::uint64_t stages_;
};

Machine<Stages> machine_of(const MachineOptions& options, std::uint64_t stages,
                           double milliseconds) {
    return {options,
            Stages{static_cast<unsigned>(options.processes), stages, references(milliseconds)}};
}

/// Returns the duration of a stage that starts by waking the others.
double stage_ms(Machine<Stages>& machine) {
    machine.run();
    const std::vector<std::uint64_t>& ends = machine.work().ends;
    return static_cast<double>((ends.back() - ends.front()) * cycle_us) / 1000 /
           static_cast<double>(ends.size() - 1);
}

/// Returns the work, in milliseconds, at which the speed is half that of an ideal machine.
double crossover(const MachineOptions& options) {
    double low = 0;
    double high = 400;
    while (high - low > 0.02) {
        const double middle = (low + high) / 2;
        auto machine = machine_of(options, 4, middle);
        (stage_ms(machine) > 2 * middle ? low : high) = middle;
    }
    return high;
}

void print_crossovers(const Options& options) {
    std::printf("half of an ideal machine's speed, %llu processes:\n",
                static_cast<unsigned long long>(options.machine.processes));
    for (std::size_t k = 1; k < primitive_names.size(); ++k) {
        MachineOptions machine = options.machine;
        machine.primitive = static_cast<Primitive>(k);
        std::printf("%-8s%7.2f ms\n", std::string{primitive_names[k]}.c_str(), crossover(machine));
    }
}

double seconds_of_100(Place place) {
    MachineOptions options;
    options.processes = 1;
    Machine<Stages> machine{options, {place}, Stages{1, 1, references_of_100 * 1000 / 100}};
    machine.run();
    return machine.seconds() * 100;
}

/// Returns the references per second in a bank for which all processors compete.
double references_per_second(std::uint8_t bank) {
    std::vector<Place> all;
    for (std::uint8_t k = 0; k < processors_max; ++k)
        all.push_back({k, bank});
    MachineOptions options;
    options.processes = processors_max;
    constexpr std::uint64_t each = 10'000'000;
    Machine<Stages> machine{options, all, Stages{processors_max, 1, each}};
    machine.run(5000);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < processors_max; ++k)
        sum += machine.processor(k).received;
    return static_cast<double>(sum) / 1000 / machine.seconds();
}

void print_tables() {
    std::puts("100 evaluations of F(x), s\nprocessor  in bank 3   bank  by processor 15");
    for (std::uint8_t k = 0; k < processors_max; ++k)
        std::printf("%9u %10.3f %6u %16.3f\n", k, seconds_of_100({k, shared_bank}), k,
                    seconds_of_100({15, k}));
    std::printf("16 processors in a semiconductor bank: %.2f million references a second\n",
                references_per_second(5) / 1e6);
    std::printf("16 processors in a core bank: %.2f million references a second\n",
                references_per_second(0) / 1e6);
}

void print_run(const Options& options) {
    MachineOptions own = options.machine;
    own.spans = options.lanes.empty() ? 0 : 10'000;
    const double compute = static_cast<double>(options.compute_us) / 1000;
    auto machine = machine_of(own, options.stages, compute);
    if (!options.trace.empty())
        sme::trace_vcd(machine.simulator(), options.trace,
                       {.clock_ns = cycle_us * 1000, .select = "activity*"});
    const double stage = stage_ms(machine);
    std::printf("%.2f ms a stage for %.2f ms of work, processors %.1f %% in use\n", stage, compute,
                100 * machine.utilisation());
    if (!options.lanes.empty())
        write_file(options.lanes, lanes(machine, machine.work().ends[2]));
}

bool run(const Options& options) {
    if (options.tables)
        print_tables();
    else if (options.crossover)
        print_crossovers(options);
    else
        print_run(options);
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"cmmp", "Processes on C.mmp that compute and wait for each other"};
    program.number("processes", options.machine.processes, 1, processors_max, "one a processor")
        .number("compute", options.compute_us, 100, 10'000'000, "of each in a stage, microseconds")
        .number("stages", options.stages, 3, 1'000'000, "how often they compute")
        .flag("crossover", options.crossover, "from which work on each primitive is usable")
        .flag("tables", options.tables, "how fast processors and banks are alone, and crowded")
        .text("lanes", options.lanes, "a .svg file that shows what processors do in two stages")
        .text("trace", options.trace, "a .vcd file that shows what processors do");
    options.machine.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
