// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sme/sme.hpp>

namespace bench {

/// Adds one to the token and passes it on.
class Node : public sme::Process {
public:
    Node(sme::In<int> x, sme::Out<int> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() + 1); }

private:
    sme::In<int> x_;
    sme::Out<int> y_;
};

/// Adds a ring of `nodes` nodes to `network`; node k reads the output of node k - 1.
/// Returns the buses: node k writes element k.
inline auto add_ring(sme::Network& network, int nodes) {
    auto token = network.buses<int>("token", nodes);
    for (int k = 0; k < nodes; ++k)
        network.add<Node>(sme::indexed("node", k), sme::in(token[(k + nodes - 1) % nodes]),
                          sme::out(token[k]));
    return token;
}

} // namespace bench
