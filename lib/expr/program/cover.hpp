// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/source.hpp"
#include "expr/program/builder.hpp"

namespace sme::expr {

/// Notes the conditions under which lines of a process count, while they become nodes.
///
/// What lies inside of something is noted in a frame of its own, as if that always counted; when it
/// is known when it does, the frame is given to the one around it with that condition.
class CoverNotes {
public:
    struct Note {
        CoverPoint::Kind kind;
        Location where;
        NodeId counts; // a bool, or how often
    };
    using Frame = std::vector<Note>;

    explicit CoverNotes(Builder& builder) : b_{builder}, frames_(1) {}

    void open() { frames_.emplace_back(); }
    Frame take();
    void give(Frame frame, NodeId condition);
    /// What was noted counts in each step of a loop, which carries nothing yet.
    void give_each(Frame frame, Loop loop);

    void line(const Location& where) { note(CoverPoint::Kind::line, where, b_.boolean(true)); }
    /// A condition that is looked at: held or not. Nothing when it is known before the run.
    void condition(const Location& where, NodeId holds);
    void arm(const Location& where) { note(CoverPoint::Kind::arm, where, b_.boolean(true)); }

    /// Notes meanwhile what counts in every cycle, wherever it is met: a let.
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

    /// All points, each once, with the nodes that they are counted by: result k of the plan is
    /// node k. With `edge`, what happens counts where that holds.
    CoverPlan plan(std::vector<NodeId>& results, std::optional<NodeId> edge) const;
    Builder& builder() { return b_; }

private:
    void note(CoverPoint::Kind kind, const Location& where, NodeId counts) {
        frames_.back().push_back({kind, where, counts});
    }

    Builder& b_;
    std::vector<Frame> frames_;
};

/// A frame of notes. Does nothing without notes; what is not closed is forgotten.
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
    /// What was noted counts when this is true.
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

/// Arms of which the first counts whose condition holds. They may become nodes in any order.
class CoverChain {
public:
    explicit CoverChain(CoverNotes* notes) : notes_{notes} {}
    /// Before and after an arm; `where` is that of its line, `test` that of its condition.
    void open() {
        if (notes_)
            notes_->open();
    }
    void close(const Location& where, const Location& test, NodeId condition);
    /// After all of them; whether the last one came first.
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
