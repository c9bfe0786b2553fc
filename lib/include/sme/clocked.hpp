// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sme/kahn_stream.hpp"
#include "sme/simulator.hpp"
#include "sme/untimed.hpp"

namespace sme {

struct KahnGraph;

/// How a Kahn network takes part in a clocked one.
struct ClockedOptions {
    /// Makes `ChannelReport::digest`.
    bool digests = false;
    /// The run ends when all processes of the Kahn network have returned.
    bool halts = true;
    /// Channels whose other end is outside: sme::to_stream and sme::from_stream.
    std::vector<JoinedStream> streams = {};
};

/// A Kahn network that is part of a clocked network.
class ClockedKahn {
public:
    /// A process object of a simulator of the network. Throws NetworkError for a handle or a
    /// simulator of another network.
    template <class P> P& process(Simulator& simulator, const KahnHandle<P>& handle) const {
        if (handle.is_of(*graph_))
            return static_cast<detail::HostedProcess<P>&>(hosted(simulator, handle.id())).process;
        throw NetworkError{"this network has no such process; the handle is of another one"};
    }
    /// All channels after the cycles so far, in order of declaration. `depth` is the places of the
    /// clocked channel: 1 where the declared depth is 0.
    std::vector<ChannelReport> channels(Simulator& simulator) const;

private:
    friend ClockedKahn add_clocked(Network& network, const KahnNetwork& kahn,
                                   const ClockedOptions& options);
    ClockedKahn(std::shared_ptr<const KahnGraph> graph, std::uint32_t family)
        : graph_{std::move(graph)}, family_{family} {}
    detail::Hosted& hosted(Simulator& simulator, std::uint32_t process) const;

    std::shared_ptr<const KahnGraph> graph_;
    std::uint32_t family_; // of processes, in the network
};

/// Adds a Kahn network to a clocked network. In each cycle a process goes on as far as it can: it
/// receives at most one message from each channel and sends at most one to each. What is sent in
/// cycle t can be received in t + 1, and a place that is freed in t can be filled in t + 1, so
/// depth 1 carries a message in every second cycle. `co_await sme::clock(n)` takes n cycles. What
/// goes over each channel is what goes over it without a clock.
///
/// A choice sees the messages that were there when the cycle began; its time-out of n cycles counts
/// from the cycle in which it was reached. Processes at a barrier go on in the cycle after the one
/// in which the last of them came. An end that is shared is given, in the cycle after, to who
/// claimed it first, of several in one cycle to the first added; it is free in the cycle after a
/// release.
///
/// For each channel there is a wire of its name with the number of messages in it, and for each
/// process one, `NAME.state`: 0 it went on in this cycle, 1 it waits to receive or to choose, 2 to
/// send, 3 for the clock, 4 it has ended, 5 it waits at a barrier.
///
/// A channel that is joined to a stream has its writer, or its reader, in the clocked network: a
/// process in YAML, a Verilog module, or one in C++. What is sent in cycle t is offered from t + 1
/// on until `ready` takes it; `ready` holds as long as there was room when the cycle began. So no
/// wire leads from one side of the Kahn network to the other. A stream has no end: who receives
/// from one knows how much.
///
/// When nothing moves any more before all processes have ended, the run ends with a fault that says
/// who waits for whom. Where channels are joined to streams, so it does when processes wait for
/// each other in a ring; who waits for a stream, waits. An exception of a process is a fault. Such
/// a simulator cannot be saved.
///
/// Throws NetworkError when a channel lacks a reader or a writer, and for a stream that does not
/// fit. Both networks may be added to others, too; `kahn` may end, but not change.
ClockedKahn add_clocked(Network& network, const KahnNetwork& kahn,
                        const ClockedOptions& options = {});

} // namespace sme
