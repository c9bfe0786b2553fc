// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "network/graph.hpp"
#include "network/segments.hpp"

namespace sme {

/// What an observer may know of a simulator: the network, and where its slots lie.
class Observed {
public:
    virtual ~Observed() = default;
    virtual const Graph& graph() const = 0;
    /// Place in a family of buses → offset in the arenas of what readers see.
    virtual const Segments& slots(std::size_t bus_family) const = 0;
};

/// Looks at every cycle of a run and changes nothing.
///
/// Contract: `open` once before the first cycle; then `step(0, range, frame)` in every cycle, one
/// level after the last wire, and once more for the cycle after the last one (then
/// `frame.wires_settled` is false and only registered buses have values); then `close` once, also
/// after a fault. The run waits for a step; what takes long belongs on a thread of the observer's.
class Observer : public Group {
public:
    virtual void open(const Observed& observed) = 0;
    /// `cycles` have run.
    virtual void close(std::uint64_t cycles) = 0;
    /// What kept it from doing its work, for the user; empty while all is well.
    virtual std::string problem() const { return {}; }
};

} // namespace sme
