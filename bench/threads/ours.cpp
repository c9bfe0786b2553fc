// SPDX-License-Identifier: Apache-2.0
//
// A ring with one of the loads: LOAD NODES CYCLES DIVISIONS THREADS [QUEUE POLICY WAIT GRAIN],
// where a policy may end in "+adaptive". The line `late_ns_per_cycle X` covers the second half of
// the run.
#include <chrono>
#include <string>

#include <sme/sme.hpp>

#include "loads.hpp"

namespace {

/// Adds one to the token and passes it on.
class Adder : public sme::Process {
public:
    Adder(sme::In<int> x, sme::Out<int> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() + 1); }

private:
    sme::In<int> x_;
    sme::Out<int> y_;
};

/// Divides, adds one to the token and passes it on.
class Divider : public sme::Process {
public:
    Divider(sme::In<int> x, sme::Out<int> y, const bench::Arguments* arguments, int node)
        : x_{x}, y_{y}, arguments_{arguments}, node_{node} {}
    void step() {
        const int token = x_.read();
        bench::divided(bench::divisions_of(*arguments_, node_, cycle_++));
        y_.write(token + 1);
    }

private:
    sme::In<int> x_;
    sme::Out<int> y_;
    const bench::Arguments* arguments_;
    int node_;
    int cycle_ = 0;
};

sme::SimulatorOptions options_of(int count, char** words) {
    const auto word = [&](int k) { return k < count ? std::string{words[k]} : std::string{}; };
    sme::SimulatorOptions options;
    options.threads = word(5) == "auto" ? 0u : static_cast<unsigned>(std::atoi(words[5]));
    options.queue =
        sme::value_named<sme::QueueKind>(sme::queue_names, word(6)).value_or(options.queue);
    // In comparisons, threads share every level, even if that costs more than it gains.
    options.serial_levels = word(6).empty();
    std::string policy = word(7);
    if (policy.ends_with("+adaptive")) {
        options.adaptive = true;
        policy.resize(policy.size() - 9);
    }
    options.policy = sme::make_policy(policy);
    options.wait = sme::value_named<sme::Wait>(sme::wait_names, word(8)).value_or(options.wait);
    options.grain = static_cast<std::uint64_t>(std::atoi(word(9).empty() ? "0" : words[9]));
    return options;
}

} // namespace

int main(int argc, char** argv) {
    const bench::Arguments arguments = bench::parse_arguments(argc, argv);
    if (argc < 6)
        return 2;
    sme::Network network{"ring"};
    const auto nodes = static_cast<std::uint64_t>(arguments.nodes);
    const auto token = network.buses<int>("token", nodes);
    for (std::uint64_t k = 0; k < nodes; ++k) {
        const auto in = sme::in(token[(k + nodes - 1) % nodes]);
        const auto out = sme::out(token[k]);
        if (arguments.load == bench::Load::add)
            network.add<Adder>(sme::indexed("node", k), in, out);
        else
            network.add<Divider>(sme::indexed("node", k), in, out, &arguments, static_cast<int>(k));
    }
    sme::Simulator simulator{network, options_of(argc, argv)};
    const auto seconds_of = [&](int cycles) {
        const auto begin = std::chrono::steady_clock::now();
        simulator.run(sme::Cycles{static_cast<std::uint64_t>(cycles)});
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    // The engine's choices by measurement happen in the first half.
    const int late = arguments.cycles / 2;
    const double first = seconds_of(arguments.cycles - late);
    const double second = seconds_of(late);
    std::printf("late_ns_per_cycle %.3f\n", second * 1e9 / late);
    return bench::report(arguments, first + second, simulator.peek(token[0]));
}
