// SPDX-License-Identifier: Apache-2.0

// Compiled as C++17: the packaged SystemC library offers only that ABI.

#include "arguments.hpp"

#include <systemc>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

/// Adds one to the token at every rising edge and passes it on.
class Node : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<int> x{"x"};
    sc_core::sc_out<int> y{"y"};

    SC_HAS_PROCESS(Node);
    explicit Node(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {
        SC_METHOD(step);
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    void step() { y.write(x.read() + 1); }
};

} // namespace

int sc_main(int argc, char** argv) {
    const auto arguments = bench::parse_arguments(argc, argv);
    const auto nodes = static_cast<std::size_t>(arguments.nodes);

    // The first rising edge is at 1 ns, so that no node runs during elaboration.
    const sc_core::sc_time period{2, sc_core::SC_NS};
    sc_core::sc_clock clk{"clk", period, 0.5, sc_core::sc_time{1, sc_core::SC_NS}};
    std::vector<std::unique_ptr<sc_core::sc_signal<int>>> token;
    std::vector<std::unique_ptr<Node>> node;
    for (std::size_t k = 0; k < nodes; ++k)
        token.push_back(std::make_unique<sc_core::sc_signal<int>>());
    for (std::size_t k = 0; k < nodes; ++k) {
        node.push_back(std::make_unique<Node>(sc_core::sc_gen_unique_name("node")));
        node[k]->clk(clk);
        node[k]->x(*token[(k + nodes - 1) % nodes]);
        node[k]->y(*token[k]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates and initialises

    const double seconds = bench::seconds_of(
        [&] { sc_core::sc_start(period * static_cast<double>(arguments.cycles)); });
    const int code = bench::report(arguments, seconds, token[0]->read());
    std::fflush(stdout);
    std::_Exit(code); // SystemC takes quadratic time to destroy a model
}
