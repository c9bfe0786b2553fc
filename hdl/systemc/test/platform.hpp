// SPDX-License-Identifier: Apache-2.0
//
// SystemC platforms in tests: each case has its own objects on the kernel, and renews the kernel
// for the next.
#pragma once

#include <string>

#include <doctest/doctest.h>
#include <systemc>

#include "base/test/scratch.hpp"
#include "network/graph.hpp"
#include "session/run_loop.hpp"
#include "sme/sme.hpp"
#include "yaml/design.hpp"

namespace sme::test {

/// Renews the kernel; declare it before all SystemC objects of a case.
class Platform {
public:
    Platform() = default;
    ~Platform() { sc_core::sc_get_curr_simcontext()->reset(); }
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;
};

/// Loads a network with its checks; its data files are beside `path`.
inline Graph graph_of(const SourceRef& source) {
    Diagnostics diagnostics;
    yaml::LoadOptions options;
    options.library = SME_SOURCE_DIR "/lib";
    std::optional<yaml::Design> design =
        yaml::load(source, options, session::factories_of_each(true), diagnostics);
    INFO(render(diagnostics));
    REQUIRE(design);
    return std::move(design->graph);
}

/// A clock driven by hand.
struct Clock {
    sc_core::sc_signal<bool> signal{"clk"};
    /// Runs half a cycle, the rising edge, and half a cycle.
    void cycle() {
        signal.write(false);
        sc_core::sc_start(5, sc_core::SC_NS);
        signal.write(true);
        sc_core::sc_start(5, sc_core::SC_NS);
    }
};

/// Returns the message of a report that `act` throws.
template <class Act> std::string report_of(Act act) {
    try {
        act();
    } catch (const sc_core::sc_report& report) {
        return report.get_msg();
    }
    return "nothing";
}

inline Graph yaml(const char* text, const std::string& path = "test.yaml") {
    return graph_of(std::make_shared<Source>(path, text));
}

/// Doubles its input; ends, faults or throws at certain values.
class Moody : public Process {
public:
    Moody(In<int> x, Out<int> y) : x_{x}, y_{y} {}
    void step() {
        if (x_.read() == 7)
            halt();
        if (x_.read() == 8)
            throw std::runtime_error{"eight is too much"};
        y_.write(2 * x_.read());
    }

private:
    In<int> x_;
    Out<int> y_;
};

struct MoodyNetwork {
    Network network{"moody"};
    Bus<int> x = network.input<int>("x");
    MoodyNetwork() { network.add<Moody>("twice", in(x), out(network.bus<int>("y"))); }
};

} // namespace sme::test
