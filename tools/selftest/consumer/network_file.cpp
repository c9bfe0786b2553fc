// SPDX-License-Identifier: Apache-2.0
// A network file in a user's program, with a component of the standard library.
#include <sme/load.hpp>
#include <sme/lockstep.hpp> // a former name
#include <sme/sme.hpp>

int main(int, char** arguments) {
    const sme::LoadedNetwork network = sme::load(arguments[1]);
    sme::Simulator simulator{network};
    simulator.run(sme::Cycles{4});
    return simulator.peek<int>("y") == 4 ? 0 : 1; // as read in cycle 4
}
