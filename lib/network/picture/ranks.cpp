// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "network/checks/connections.hpp"
#include "network/picture/diagram.hpp"

namespace sme {

void add_ranks(
    Diagram& diagram, const Graph& graph,
    const std::function<void(std::uint32_t family, const RankPiece& visit)>& visit_pieces) {
    const Folds folds{graph};
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        visit_pieces(f, [&](Range piece, unsigned rank) {
            for (const FoldedSpan& span : folds.spans[f]) {
                const std::uint64_t first = std::max(span.first, piece.first);
                const std::uint64_t end = std::min(span.end(), piece.first + piece.count);
                std::vector<double>& shares = diagram.nodes[span.node].shares;
                if (first >= end)
                    continue;
                shares.resize(std::max<std::size_t>(shares.size(), rank + 1));
                shares[rank] += static_cast<double>(end - first) /
                                static_cast<double>(diagram.nodes[span.node].count);
            }
        });
}

} // namespace sme
