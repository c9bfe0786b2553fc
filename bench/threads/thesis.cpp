// SPDX-License-Identifier: Apache-2.0
//
// The thesis's ring on its queues: LOAD NODES CYCLES DIVISIONS THREADS worker|locked|static

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "loads.hpp"
#include "thesis_queues.hpp"

namespace {

/// 4.3: the process of the cycle-dominated benchmark.
class Divider : public thesis::Process {
public:
    Divider(thesis::Bus* in, thesis::Bus* out, const bench::Arguments* arguments, int node)
        : in_{in}, out_{out}, arguments_{arguments}, node_{node} {}
    void step() override {
        bench::divided(bench::divisions_of(*arguments_, node_, cycle_++));
        int val = in_->read();
        out_->write(++val);
    }

private:
    thesis::Bus* in_;
    thesis::Bus* out_;
    const bench::Arguments* arguments_;
    int node_;
    int cycle_ = 0;
};

std::unique_ptr<thesis::Process> node_of(const bench::Arguments& arguments, int node,
                                         thesis::Bus* in, thesis::Bus* out) {
    if (arguments.load == bench::Load::add)
        return std::make_unique<thesis::Adder>(in, out);
    return std::make_unique<Divider>(in, out, &arguments, node);
}

} // namespace

int main(int argc, char** argv) {
    const bench::Arguments arguments = bench::parse_arguments(argc, argv);
    const std::string queue = argc == 7 ? argv[6] : "";
    if (queue != "worker" && queue != "locked" && queue != "static") {
        std::fprintf(stderr, "usage: %s LOAD NODES CYCLES DIVISIONS THREADS worker|locked|static\n",
                     argv[0]);
        return 2;
    }
    thesis::ParallelNetwork network{static_cast<unsigned>(std::atoi(argv[5])),
                                    queue == "worker"   ? thesis::Queue::worker
                                    : queue == "locked" ? thesis::Queue::locked
                                                        : thesis::Queue::fixed};
    const auto nodes = static_cast<std::size_t>(arguments.nodes);
    std::vector<std::unique_ptr<thesis::Bus>> token;
    for (std::size_t k = 0; k < nodes; ++k) {
        token.push_back(std::make_unique<thesis::Bus>());
        network.add(*token.back());
    }
    std::vector<std::unique_ptr<thesis::Process>> node;
    for (std::size_t k = 0; k < nodes; ++k) {
        node.push_back(node_of(arguments, static_cast<int>(k), token[(k + nodes - 1) % nodes].get(),
                               token[k].get()));
        network.add(*node.back());
    }

    std::chrono::steady_clock::time_point begin;
    network.run(arguments.cycles, [&] { begin = std::chrono::steady_clock::now(); });
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return bench::report(arguments, seconds, token[0]->read());
}
