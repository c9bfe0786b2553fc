// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sme::kahn {

/// Finds the sets of a graph whose members reach each other and no other node (Tarjan's algorithm,
/// without recursion).
class Knots {
public:
    explicit Knots(std::vector<std::vector<std::uint32_t>> edges)
        : edges_{std::move(edges)}, number_(edges_.size(), unseen), low_(edges_.size(), 0),
          set_(edges_.size(), unseen), next_edge_(edges_.size(), 0) {}

    std::vector<std::vector<std::uint32_t>> find() {
        for (std::uint32_t k = 0; k < edges_.size(); ++k)
            if (number_[k] == unseen)
                walk(k);
        std::vector<std::vector<std::uint32_t>> found;
        for (std::vector<std::uint32_t>& set : sets_)
            if (is_closed(set))
                found.push_back(std::move(set));
        return found;
    }

private:
    static constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

    void enter(std::uint32_t node) {
        number_[node] = low_[node] = count_++;
        path_.push_back(node);
        open_.push_back(node);
    }
    void walk(std::uint32_t start) {
        enter(start);
        while (!path_.empty()) {
            const std::uint32_t node = path_.back();
            if (next_edge_[node] < edges_[node].size()) {
                const std::uint32_t to = edges_[node][next_edge_[node]++];
                if (number_[to] == unseen)
                    enter(to);
                else if (set_[to] == unseen)
                    low_[node] = std::min(low_[node], number_[to]);
                continue;
            }
            path_.pop_back();
            if (!path_.empty())
                low_[path_.back()] = std::min(low_[path_.back()], low_[node]);
            if (low_[node] == number_[node])
                leave(node);
        }
    }
    void leave(std::uint32_t root) {
        sets_.emplace_back();
        std::uint32_t node = unseen;
        do {
            node = open_.back();
            open_.pop_back();
            set_[node] = static_cast<std::uint32_t>(sets_.size() - 1);
            sets_.back().push_back(node);
        } while (node != root);
    }
    bool is_closed(const std::vector<std::uint32_t>& set) const {
        return std::all_of(set.begin(), set.end(), [&](std::uint32_t node) {
            return std::all_of(edges_[node].begin(), edges_[node].end(),
                               [&](std::uint32_t to) { return set_[to] == set_[set[0]]; });
        });
    }

    std::vector<std::vector<std::uint32_t>> edges_;
    std::vector<std::uint32_t> number_, low_, set_;
    std::vector<std::size_t> next_edge_;
    std::vector<std::uint32_t> path_, open_;
    std::vector<std::vector<std::uint32_t>> sets_;
    std::uint32_t count_ = 0;
};

} // namespace sme::kahn
