// SPDX-License-Identifier: Apache-2.0
// A user's program: a ring of three nodes, each adding one. After 7 cycles every token is 7.
#include <cstdio>
#include <sme/sme.hpp>

class Node : public sme::Process {
public:
    Node(sme::In<int> x, sme::Out<int> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() + 1); }

private:
    sme::In<int> x_;
    sme::Out<int> y_;
};

int main() {
    sme::Network ring{"ring"};
    auto token = ring.buses<int>("token", 3);
    for (int k = 0; k < 3; ++k)
        ring.add<Node>(sme::indexed("node", k), sme::in(token[(k + 2) % 3]), sme::out(token[k]));
    sme::Simulator simulator{ring, {}};
    simulator.run(sme::Cycles{7});
    const int value = simulator.peek(token[1]);
    std::printf("%d\n", value);
    return value == 7 ? 0 : 1;
}
