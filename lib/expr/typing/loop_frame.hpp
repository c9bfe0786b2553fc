// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// What to write where an index must be known before the run; empty outside loops.
std::string loop_advice(Builder& builder);

/// A loop while its body is elaborated. Its indices are bound to its steps; the last index runs
/// fastest.
class LoopFrame {
public:
    /// Returns true if ranges with this many steps become a loop here.
    static bool is_wanted(Elaborator& elaborator, Integer steps);

    LoopFrame(Elaborator& elaborator, const std::vector<LoopIndex>& indices, const Location& where);
    ~LoopFrame();
    LoopFrame(const LoopFrame&) = delete;
    LoopFrame& operator=(const LoopFrame&) = delete;

    /// False if there are too many steps, which has been reported.
    bool ok() const { return ok_; }
    /// Notes the loop's steps, which are charged to the limit of the file when the loop is lowered.
    /// A loop that depends on no other one runs once per instance. False if they certainly exceed
    /// the limit, which is reported.
    bool charge(bool in_others, unsigned weight = 1);
    /// The weight of a loop that writes memories: its writes are buffered.
    static constexpr unsigned writing_weight = 4;
    std::shared_ptr<const BoundLoop> loop() const { return loop_; }
    /// Returns true if a value depends on nothing but the steps of this loop.
    bool is_known(const BoundExpr& value) const;
    /// Ends the frame: unbinds the indices.
    void close();

private:
    void bind(const std::vector<LoopIndex>& indices);

    Elaborator& e_;
    Builder& b_;
    std::shared_ptr<BoundLoop> loop_;
    std::vector<std::string> names_;
    std::uint64_t steps_before_;
    std::size_t errors_before_;
    bool ok_ = true;
    bool open_ = true;
};

/// Returns the runs of array(j < m, k < n, e): elements that differ only in their indices, each run
/// as one expression of the indices. Runs of fewer than four elements and runs within one row are
/// left out. The expression of `array` has an operand for each element, with the last index running
/// fastest; `counts` holds the length of each index.
std::vector<BoundRun> array_runs(const BoundExpr& array, const Ast& ast,
                                 const std::vector<std::uint64_t>& counts, Elaborator& elaborator);

} // namespace sme::expr
