// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sme/internal/kahn_stream.hpp"
#include "sme/simulator.hpp"
#include "sme/untimed.hpp"

namespace sme {

struct KahnGraph;

/// A channel of a Kahn network that is connected to a stream of the clocked network.
struct JoinedStream {
    std::uint64_t channel;
    bool to_stream; ///< the Kahn network sends
    std::string name;
    std::optional<std::pair<internal::BusKey, internal::BusKey>> buses; ///< replace the name
    std::shared_ptr<const internal::StreamKind> kind;
};

/// Offers the messages that the Kahn network sends on `channel` at the stream of this name: two
/// wires, the bus `stream` of {valid, data} and the bus `stream.ready`, like a `Stream(T)` of the
/// language.
template <class T> JoinedStream to_stream(Channel<T> channel, std::string stream) {
    return {
        channel.id(), true, std::move(stream), {}, std::make_shared<internal::StreamKindOf<T>>()};
}
/// The same with two wires of a C++ network: S has the fields `valid`, a bool, and `data`, a T.
template <class T, class S>
JoinedStream to_stream(Channel<T> channel, Bus<S> stream, Bus<bool> ready) {
    return {channel.id(), true, "", std::pair{stream.key(), ready.key()},
            std::make_shared<internal::StreamKindOf<T>>()};
}
/// Passes the data offered at the stream to the Kahn network over `channel`.
template <class T> JoinedStream from_stream(std::string stream, Channel<T> channel) {
    return {
        channel.id(), false, std::move(stream), {}, std::make_shared<internal::StreamKindOf<T>>()};
}
template <class T, class S>
JoinedStream from_stream(Bus<S> stream, Bus<bool> ready, Channel<T> channel) {
    return {channel.id(), false, "", std::pair{stream.key(), ready.key()},
            std::make_shared<internal::StreamKindOf<T>>()};
}

/// Options for a Kahn network inside a clocked network.
struct ClockedOptions {
    /// Computes `ChannelReport::digest`.
    bool digests = false;
    /// Ends the run when all processes of the Kahn network have returned.
    bool halts = true;
    /// Channels connected to streams of the clocked network: sme::to_stream and sme::from_stream.
    std::vector<JoinedStream> streams = {};
};

/// A Kahn network that is part of a clocked network.
class ClockedKahn {
public:
    /// Returns a simulator's process object. Throws NetworkError if the handle or the simulator
    /// belongs to another network.
    template <class P> P& process(Simulator& simulator, const KahnHandle<P>& handle) const {
        if (handle.is_of(*graph_))
            return static_cast<internal::HostedProcess<P>&>(hosted(simulator, handle.id())).process;
        throw NetworkError{"this network has no such process; the handle is of another one"};
    }
    /// Returns a report of every channel after the cycles run so far, in order of declaration.
    /// `depth` is the number of slots of the clocked channel: 1 where the declared depth is 0.
    std::vector<ChannelReport> channels(Simulator& simulator) const;

private:
    friend ClockedKahn add_clocked(Network& network, const KahnNetwork& kahn,
                                   const ClockedOptions& options);
    ClockedKahn(std::shared_ptr<const KahnGraph> graph, std::uint32_t family)
        : graph_{std::move(graph)}, family_{family} {}
    internal::Hosted& hosted(Simulator& simulator, std::uint32_t process) const;

    std::shared_ptr<const KahnGraph> graph_;
    std::uint32_t family_; // of the processes, in the network
};

/// Adds a Kahn network to a clocked network. In each cycle a process runs as far as it can: it
/// receives at most one message from each channel and sends at most one to each. A message sent in
/// cycle t can be received in t + 1, and a slot freed in t can be filled in t + 1, so a channel of
/// depth 1 carries a message every second cycle. `co_await sme::clock(n)` takes n cycles. Each
/// channel carries the same messages as in a run without a clock.
///
/// A choice sees the messages present at the start of the cycle; its time-out of n cycles counts
/// from the cycle in which the process reached it. Processes at a barrier continue in the cycle
/// after the last one arrives. A shared end is granted in the cycle after the claim, to the
/// earliest claim; among claims of one cycle, the process added first wins. A released end is free
/// in the next cycle.
///
/// Each channel gets a wire of its name that shows the number of messages in it. Each process gets
/// a wire `NAME.state`: 0 it ran in this cycle; it waits 1 to receive or choose, 2 to send, 3 for
/// the clock; 4 it has ended; 5 it waits at a barrier.
///
/// A channel joined to a stream has its writer or reader in the clocked network: a process in YAML,
/// Verilog or C++. A message sent in cycle t is offered from t + 1 on until `ready` accepts it.
/// `ready` is true if there was room at the start of the cycle. So there is no combinational path
/// through the Kahn network. A stream has no end: its receiver must know how many messages to
/// expect.
///
/// When no process can continue before all have ended, the run ends with a fault that lists which
/// process waits for which. Where channels are joined to streams, this happens only when processes
/// wait for each other in a ring; a process that waits for a stream keeps waiting. An exception in
/// a process is a fault. A simulator with a Kahn network cannot be saved.
///
/// Throws NetworkError when a channel lacks a reader or a writer, or a stream does not fit. Both
/// networks may also be added to others; `kahn` may be destroyed but not changed afterwards.
ClockedKahn add_clocked(Network& network, const KahnNetwork& kahn,
                        const ClockedOptions& options = {});

} // namespace sme
