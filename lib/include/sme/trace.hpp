// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace sme {

class Observer;

struct TraceOptions {
    /// The length of a cycle in nanoseconds.
    std::uint64_t clock_ns = 10;
    /// The buses to trace: comma-separated patterns with `*` and `?` for names such as
    /// "total.value", "token[3]" or "node*". A name includes everything below it; empty: all buses.
    std::string select = {};
    /// The length of a cycle in picoseconds, which replaces `clock_ns`, such as
    /// `LoadedNetwork::clock_ps`; 0: use `clock_ns`.
    std::uint64_t clock_ps = 0;
    /// Also traces the states of processes of network files.
    bool state = false;
};

/// Creates an observer for `Simulator::attach` that writes every change of the buses to a VCD file,
/// or to an FST file if the path ends with ".fst". The file appears under its name when the
/// simulator finishes. Throws NetworkError if the file cannot be opened, for example while another
/// run writes the same file.
std::shared_ptr<Observer> vcd_tracer(const std::string& path, const TraceOptions& options = {});

/// Attaches such an observer to a simulator, before its first cycle.
template <class Simulator>
void trace_vcd(Simulator& simulator, const std::string& path, const TraceOptions& options = {}) {
    simulator.attach(vcd_tracer(path, options));
}

} // namespace sme
