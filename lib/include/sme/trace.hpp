// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace sme {

class Observer;

struct TraceOptions {
    /// Time of one cycle in nanoseconds.
    std::uint64_t clock_ns = 10;
    /// Which buses: patterns with `*` and `?`, separated by commas, of names such as "total.value",
    /// "token[3]" or "node*". A name takes all below it; empty: all.
    std::string select = {};
    /// Time of one cycle in picoseconds, in place of `clock_ns`, such as `LoadedNetwork::clock_ps`;
    /// 0: `clock_ns`.
    std::uint64_t clock_ps = 0;
    /// Whether states of processes of network files are traced, too.
    bool state = false;
};

/// An observer that writes every change of the buses to a VCD file, or to an FST file when the path
/// ends with ".fst", for `Simulator::attach`. The file appears under its name when the simulator
/// finishes. Throws NetworkError when it cannot be opened, as while another run writes one of that
/// name.
std::shared_ptr<Observer> vcd_tracer(const std::string& path, const TraceOptions& options = {});

/// Attaches such an observer to a simulator, before its first cycle.
template <class Simulator>
void trace_vcd(Simulator& simulator, const std::string& path, const TraceOptions& options = {}) {
    simulator.attach(vcd_tracer(path, options));
}

} // namespace sme
