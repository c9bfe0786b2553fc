// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "knowledge.hpp"

namespace models::harpy {

struct Recognised {
    Knowledge::Words words; ///< empty if the beam lost all
    std::uint64_t misfit;
};

/// The beam search over one utterance, segment by segment. The order of a segment's pairs does not
/// affect the result.
class Beam {
public:
    Beam(const Knowledge& knowledge, const Utterance& utterance, std::uint64_t threshold)
        : knowledge_{&knowledge}, utterance_{&utterance}, threshold_{threshold},
          now_(knowledge.states.size(), none), next_(knowledge.states.size(), none) {
        now_[0] = 0;
    }

    /// Returns the states to expand in this segment, in order.
    const std::vector<std::uint32_t>& candidates() const { return candidates_; }
    const std::vector<std::uint32_t>& sons(std::uint32_t father) const {
        return knowledge_->states[father].next;
    }

    /// Moves from one state to another. Returns true if this is the best path so far.
    bool try_pair(std::uint32_t father, std::uint32_t son) {
        const std::uint64_t misfit =
            now_[father] + utterance_->fit(fathers_.size() - 1, knowledge_->states[son].phoneme);
        std::uint32_t& best_father = fathers_.back()[son];
        if (misfit > next_[son] || (misfit == next_[son] && father >= best_father))
            return false;
        next_[son] = misfit;
        best_father = father;
        best_ = std::min(best_, misfit);
        return true;
    }

    void begin_segment() {
        fathers_.emplace_back(knowledge_->states.size(), 0);
        best_ = none;
    }
    /// Drops states whose misfit exceeds the best by more than the threshold.
    void end_segment() {
        candidates_.clear();
        for (std::uint32_t k = 0; k < next_.size(); ++k) {
            now_[k] = next_[k] - best_ <= threshold_ ? next_[k] : none;
            next_[k] = none;
            if (now_[k] != none)
                candidates_.push_back(k);
        }
    }
    bool over() const { return fathers_.size() == utterance_->segments() || candidates_.empty(); }

    Recognised recognised() const {
        std::optional<std::uint32_t> last;
        for (std::uint32_t k = 0; k < now_.size(); ++k)
            if (knowledge_->states[k].ends && now_[k] != none && (!last || now_[k] < now_[*last]))
                last = k;
        if (!last)
            return {{}, none};
        Recognised found{{}, now_[*last]};
        std::uint32_t at = *last;
        for (std::size_t k = fathers_.size(); k-- > 0;) {
            const std::uint32_t father = fathers_[k][at];
            if (knowledge_->states[at].begins && father != at)
                found.words.push_back(knowledge_->states[at].word);
            at = father;
        }
        std::reverse(found.words.begin(), found.words.end());
        return found;
    }

private:
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    const Knowledge* knowledge_;
    const Utterance* utterance_;
    std::uint64_t threshold_;
    std::vector<std::uint64_t> now_;  ///< the smallest misfit of each state
    std::vector<std::uint64_t> next_; ///< the same after this segment
    std::uint64_t best_ = none;
    std::vector<std::uint32_t> candidates_{0};
    std::vector<std::vector<std::uint32_t>> fathers_; ///< per segment and state
};

} // namespace models::harpy
