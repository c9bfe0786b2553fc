// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "clocked/channels.hpp"
#include "network/graph.hpp"
#include "sme/kahn_stream.hpp"

namespace sme::clocked {

/// Adds what stands at the other end of a channel, and drives the wires of a stream or reads them.
/// `shared` gives the channels of the simulator that is being built. Throws NetworkError when there
/// is no such stream, or when it has other messages.
void add_stream(Graph& graph, const KahnGraph& kahn, const JoinedStream& stream,
                std::function<std::shared_ptr<Channels>()> shared);

} // namespace sme::clocked
