// SPDX-License-Identifier: Apache-2.0

#include "ours.hpp"

#include "arguments.hpp"

int main(int argc, char** argv) {
    const auto arguments = bench::parse_arguments(argc, argv);
    sme::Network network{"ring"};
    const auto token = bench::add_ring(network, arguments.nodes);
    sme::Simulator simulator{network, {.threads = 1}};

    const double seconds = bench::seconds_of(
        [&] { simulator.run(sme::Cycles{static_cast<std::uint64_t>(arguments.cycles)}); });
    return bench::report(arguments, seconds, simulator.peek(token[0]));
}
