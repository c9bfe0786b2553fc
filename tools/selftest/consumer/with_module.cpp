// SPDX-License-Identifier: Apache-2.0
#include <sme/sme.hpp>

#include "Counter.hpp"

int main() {
    sme::Network network{"counting"};
    const auto count = network.bus<std::uint16_t>("count");
    network.add<Counter>("counter", {.count = sme::out(count)});
    sme::Simulator simulator{network};
    simulator.run(sme::Cycles{21});
    return simulator.peek(count) == 42 ? 0 : 1;
}
