// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// An index that runs over so many numbers from `low` on.
struct LoopIndex {
    std::string name;
    Integer low = 0;
    std::uint64_t count = 0;
};

/// What to write where an index has to be known before the run; empty outside of loops.
std::string loop_advice(Builder& builder);

/// A loop while what stands in it is elaborated: its indices are bound to its steps, the last one
/// runs fastest.
class LoopFrame {
public:
    /// So many steps are unrolled where a loop cannot be made.
    static constexpr std::uint64_t max_unrolled = 16'384;

    /// Whether ranges of so many steps become a loop here.
    static bool is_wanted(Elaborator& elaborator, Integer steps);

    LoopFrame(Elaborator& elaborator, const std::vector<LoopIndex>& indices, const Location& where);
    ~LoopFrame();
    LoopFrame(const LoopFrame&) = delete;
    LoopFrame& operator=(const LoopFrame&) = delete;

    /// False, and reported, when there are too many steps.
    bool ok() const { return ok_; }
    /// Takes the loop's steps, each `weight` times, from those that the file may have in a cycle,
    /// where nodes depend on loops around it as `free` says; false, and reported, when there are
    /// not that many left.
    bool charge(const std::vector<NodeId>& free, unsigned weight = 1);
    /// Of a loop that writes memories, as what it writes waits.
    static constexpr unsigned writing_weight = 4;
    NodeId step() const { return step_; }
    std::uint64_t count() const { return count_; }
    /// The loop, which carries nothing so far.
    Loop loop() const;
    /// Whether all that nodes depend on is known before the run, the step and what `carried` says
    /// apart.
    bool is_known(const std::vector<NodeId>& nodes, const std::vector<NodeId>& carried = {}) const;
    /// Ends the frame: the indices are names no more.
    void close();

private:
    void bind(const std::vector<LoopIndex>& indices);
    bool refuse(Integer steps, std::size_t operations, unsigned weight);

    Elaborator& e_;
    Builder& b_;
    Location where_;
    std::vector<std::string> names_;
    std::uint64_t count_ = 1;
    std::uint64_t steps_before_;
    std::size_t errors_before_;
    std::size_t nodes_before_;
    std::uint32_t first_site_;
    NodeId step_ = no_node;
    bool ok_ = true;
    bool open_ = true;
};

} // namespace sme::expr
