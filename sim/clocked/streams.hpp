// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "clocked/channels.hpp"
#include "network/graph.hpp"
#include "sme/kahn_stream.hpp"

namespace sme::clocked {

/// Adds the process at the other end of a channel, which drives or reads the wires of a stream.
/// `shared` returns the channels of the simulator under construction. Throws NetworkError if there
/// is no such stream, or if its messages have another type.
void add_stream(Graph& graph, const KahnGraph& kahn, const JoinedStream& stream,
                std::function<std::shared_ptr<Channels>()> shared);

} // namespace sme::clocked
