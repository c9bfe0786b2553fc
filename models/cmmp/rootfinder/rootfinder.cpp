// SPDX-License-Identifier: Apache-2.0
// Finds roots with several processes at once, on C.mmp or on this machine.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../lanes.hpp"
#include "../machine.hpp"
#include "on_cmmp.hpp"
#include "support/program.hpp"
#include "support/untimed.hpp"
#include "untimed.hpp"

namespace {

using namespace models;
using namespace models::rootfinder;

struct Options {
    WorkOptions work;
    cmmp::MachineOptions machine;
    std::uint64_t evaluations = 1;
    bool untimed = false;
    Runners runners;
    std::string output;
    std::string lanes;
};

std::vector<Root> find_untimed(const Options& options) {
    sme::KahnNetwork network{"rootfinder"};
    const std::uint64_t n = options.work.processes;
    const auto points = network.channels<std::uint64_t>("points", n).all();
    const auto values = network.channels<double>("values", n).all();
    for (std::uint64_t k = 0; k < n; ++k)
        network.add<Evaluate>(sme::indexed("evaluate", k), options.evaluations, sme::in(points[k]),
                              sme::out(values[k]));
    const auto find =
        network.add<Find>("find", options.work.roots, sme::out(points), sme::in(values));
    sme::Untimed run{network, options.runners.options()};
    std::printf("%.3f s\n", seconds_of(run));
    return run.process(find).roots;
}

std::vector<Root> find_on_cmmp(const Options& options) {
    cmmp::MachineOptions own = options.machine;
    own.processes = options.work.processes;
    own.spans = options.lanes.empty() ? 0 : 10'000;
    cmmp::Machine<Work> machine{own, Work{options.work}};
    machine.run();
    std::printf("%.3f s on C.mmp, processors %.1f %% in use\n", machine.seconds(),
                100 * machine.utilisation());
    if (!options.lanes.empty())
        write_file(options.lanes, lanes(machine, machine.work().ends.back()));
    return machine.work().roots;
}

bool run(const Options& options) {
    if (options.untimed && !options.lanes.empty())
        throw BadInput{"--lanes shows C.mmp; leave out --untimed"};
    if (!options.untimed && options.work.processes > cmmp::processors_max)
        throw BadInput{fmt::format("C.mmp has {} processors; give --processes less, or --untimed",
                                   cmmp::processors_max)};
    const std::vector<Root> roots = options.untimed ? find_untimed(options) : find_on_cmmp(options);
    std::printf("%zu roots, %u iterations each\n", roots.size(), roots.front().iterations);
    if (!options.output.empty()) {
        std::string lines = "tail,x\n";
        for (const Root& root : roots)
            lines += fmt::format("{},{}\n", root.tail, root.x);
        write_file(options.output, lines);
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"rootfinder", "Where the normal distribution has given tails"};
    program.number("processes", options.work.processes, 1, 1000, "points that divide an interval")
        .number("roots", options.work.roots, 1, 1'000'000, "how many are found")
        .text("output", options.output, "where they are written: tail,x")
        .flag("untimed", options.untimed, "on this machine, without a clock")
        .number("evaluations", options.evaluations, 1, 1'000'000'000,
                "of each point, with --untimed")
        .choice("times", options.work.times, times_names, "how long an evaluation takes")
        .number("mean", options.work.mean_us, 100, 10'000'000, "of these times, in microseconds")
        .number("seed", options.work.seed, 0, UINT64_MAX, "of random times")
        .text("lanes", options.lanes, "a .svg file that shows what processors do in three stages");
    options.machine.add_to(program);
    options.runners.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
