// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/source.hpp"
#include "expr/program/builder.hpp"

namespace sme::expr {

/// Records the conditions under which lines of a process count, while they become nodes.
///
/// Notes inside a construct go into their own frame, unconditionally. When the condition of the
/// construct is known, the frame is merged into the enclosing one under that condition.
class CoverNotes {
public:
    struct Note {
        CoverPoint::Kind kind;
        Location where;
        NodeId counts; // a bool, or a count
    };
    using Frame = std::vector<Note>;

    explicit CoverNotes(Builder& builder) : b_{builder}, frames_(1) {}

    void open() { frames_.emplace_back(); }
    Frame take();
    void give(Frame frame, NodeId condition);
    /// Merges a frame that counts in each step of a loop, which carries no values yet.
    void give_each(Frame frame, Loop loop);

    void line(const Location& where) { note(CoverPoint::Kind::line, where, b_.boolean(true)); }
    /// Records whether a tested condition holds; ignores conditions known before the run.
    void condition(const Location& where, NodeId holds);
    void arm(const Location& where) { note(CoverPoint::Kind::arm, where, b_.boolean(true)); }

    /// Records unconditionally while alive: for a let, which counts in every cycle wherever it is
    /// met.
    class Outside {
    public:
        explicit Outside(CoverNotes* notes);
        ~Outside();
        Outside(const Outside&) = delete;
        Outside& operator=(const Outside&) = delete;

    private:
        CoverNotes* notes_;
        std::vector<Frame> frames_;
    };

    /// Returns all points, each once, with the nodes that count them: result k of the plan is node
    /// k. With `edge`, points count only when it holds.
    CoverPlan plan(std::vector<NodeId>& results, std::optional<NodeId> edge) const;
    Builder& builder() { return b_; }

private:
    void note(CoverPoint::Kind kind, const Location& where, NodeId counts) {
        frames_.back().push_back({kind, where, counts});
    }

    Builder& b_;
    std::vector<Frame> frames_;
};

/// A frame of notes; does nothing if `notes` is null. A frame that is not closed is dropped.
class CoverFrame {
public:
    explicit CoverFrame(CoverNotes* notes) : notes_{notes} {
        if (notes_)
            notes_->open();
    }
    ~CoverFrame() {
        if (notes_)
            notes_->take();
    }
    /// Merges the notes under this condition.
    void close(NodeId condition) {
        if (notes_)
            notes_->give(notes_->take(), condition);
        notes_ = nullptr;
    }
    CoverFrame(const CoverFrame&) = delete;
    CoverFrame& operator=(const CoverFrame&) = delete;

private:
    CoverNotes* notes_;
};

/// A chain of arms: the first whose condition holds counts. Arms may become nodes in any order.
class CoverChain {
public:
    explicit CoverChain(CoverNotes* notes) : notes_{notes} {}
    /// Call before and after an arm; `where` locates its line, `test` its condition.
    void open() {
        if (notes_)
            notes_->open();
    }
    void close(const Location& where, const Location& test, NodeId condition);
    /// Call after all arms; `reversed` if the last arm came first.
    void finish(bool reversed);

private:
    struct Arm {
        Location where, test;
        NodeId condition;
        CoverNotes::Frame inside;
    };
    CoverNotes* notes_;
    std::vector<Arm> arms_;
};

} // namespace sme::expr
