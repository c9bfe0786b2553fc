// SPDX-License-Identifier: Apache-2.0

// The ring of ../ring with every bus traced: `NODES CYCLES FILE.vcd`.

#include "../ring/ours.hpp"

#include "../ring/arguments.hpp"

#include <sme/trace.hpp>

int main(int argc, char** argv) {
    const auto arguments = bench::parse_arguments(argc - 1, argv);
    sme::Network network{"ring"};
    const auto token = bench::add_ring(network, arguments.nodes);
    sme::Simulator simulator{network, {.threads = 1}};
    sme::trace_vcd(simulator, argv[3]);

    const double seconds = bench::seconds_of(
        [&] { simulator.run(sme::Cycles{static_cast<std::uint64_t>(arguments.cycles)}); });
    return bench::report(arguments, seconds, simulator.peek(token[0]));
}
