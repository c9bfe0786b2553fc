// SPDX-License-Identifier: Apache-2.0

#include "thesis.hpp"
#include "arguments.hpp"

#include <cstddef>
#include <memory>
#include <vector>

int main(int argc, char** argv) {
    const auto arguments = bench::parse_arguments(argc, argv);
    const auto nodes = static_cast<std::size_t>(arguments.nodes);

    thesis::Network network;
    std::vector<std::unique_ptr<thesis::Bus>> token;
    std::vector<std::unique_ptr<thesis::Adder>> node;
    for (std::size_t k = 0; k < nodes; ++k) {
        token.push_back(std::make_unique<thesis::Bus>());
        network.add(*token.back());
    }
    for (std::size_t k = 0; k < nodes; ++k) {
        node.push_back(
            std::make_unique<thesis::Adder>(token[(k + nodes - 1) % nodes].get(), token[k].get()));
        network.add(*node.back());
    }

    const double seconds = bench::seconds_of([&] { network.run(arguments.cycles); });
    return bench::report(arguments, seconds, token[0]->read());
}
