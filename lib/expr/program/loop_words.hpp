// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// The words that a node takes over the steps of one loop, if known before the run.
class LoopWords {
public:
    explicit LoopWords(const Builder& builder) : b_{builder} {}

    /// Returns the words, ascending; null if unknown or too many.
    const std::vector<std::uint64_t>* of(NodeId word);
    /// Returns whether two nodes coincide in any of their steps; `nullopt` if unknown.
    std::optional<bool> meet(NodeId a, NodeId b);

private:
    std::optional<std::vector<std::uint64_t>> computed(NodeId word) const;

    const Builder& b_;
    std::map<NodeId, std::optional<std::vector<std::uint64_t>>> known_;
};

} // namespace sme::expr
