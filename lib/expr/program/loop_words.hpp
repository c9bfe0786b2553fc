// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// The words that a node of one loop is in its steps, where they are known before the run.
class LoopWords {
public:
    explicit LoopWords(const Builder& builder) : b_{builder} {}

    /// The words, ascending; null: they are not known, or too many.
    const std::vector<std::uint64_t>* of(NodeId word);
    /// Whether two nodes are one word in any of their steps; nothing: that is not known.
    std::optional<bool> meet(NodeId a, NodeId b);

private:
    std::optional<std::vector<std::uint64_t>> computed(NodeId word) const;

    const Builder& b_;
    std::map<NodeId, std::optional<std::vector<std::uint64_t>>> known_;
};

} // namespace sme::expr
