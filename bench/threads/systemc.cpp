// SPDX-License-Identifier: Apache-2.0
//
// The ring in SystemC, which runs on one thread: LOAD NODES CYCLES DIVISIONS
//
// Compiled as C++17: the packaged SystemC library offers only that ABI.

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include <systemc>

#include "loads.hpp"

namespace {

/// Works, adds one to the token and passes it on, at every rising edge.
class Node : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<int> x{"x"};
    sc_core::sc_out<int> y{"y"};

    SC_HAS_PROCESS(Node);
    Node(const sc_core::sc_module_name& name, const bench::Arguments& arguments, int node)
        : sc_core::sc_module{name}, arguments_{arguments}, node_{node} {
        if (arguments.load == bench::Load::add) {
            SC_METHOD(add);
        } else {
            SC_METHOD(divide);
        }
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    void add() { y.write(x.read() + 1); }
    void divide() {
        bench::divided(bench::divisions_of(arguments_, node_, cycle_++));
        y.write(x.read() + 1);
    }

    const bench::Arguments& arguments_;
    int node_;
    int cycle_ = 0;
};

} // namespace

int sc_main(int argc, char** argv) {
    const bench::Arguments arguments = bench::parse_arguments(argc, argv);
    const auto nodes = static_cast<std::size_t>(arguments.nodes);

    // The first rising edge is at 1 ns, so that no node runs during elaboration.
    const sc_core::sc_time period{2, sc_core::SC_NS};
    sc_core::sc_clock clk{"clk", period, 0.5, sc_core::sc_time{1, sc_core::SC_NS}};
    std::vector<std::unique_ptr<sc_core::sc_signal<int>>> token;
    std::vector<std::unique_ptr<Node>> node;
    for (std::size_t k = 0; k < nodes; ++k)
        token.push_back(std::make_unique<sc_core::sc_signal<int>>());
    for (std::size_t k = 0; k < nodes; ++k) {
        node.push_back(std::make_unique<Node>(sc_core::sc_gen_unique_name("node"), arguments,
                                              static_cast<int>(k)));
        node[k]->clk(clk);
        node[k]->x(*token[(k + nodes - 1) % nodes]);
        node[k]->y(*token[k]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates and initialises

    const auto begin = std::chrono::steady_clock::now();
    sc_core::sc_start(period * static_cast<double>(arguments.cycles));
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const int code = bench::report(arguments, seconds, token[0]->read());
    std::fflush(stdout);
    std::_Exit(code); // SystemC takes quadratic time to destroy a model
}
