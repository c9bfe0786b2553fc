// SPDX-License-Identifier: Apache-2.0
#include "expr/program/cover.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sme::expr {

CoverNotes::Frame CoverNotes::take() {
    Frame inner = std::move(frames_.back());
    frames_.pop_back();
    return inner;
}

void CoverNotes::give(Frame frame, NodeId condition) {
    for (Note& each : frame) {
        const Scalar type = b_.type(each.counts);
        each.counts = type == Scalar{1, false}
                          ? b_.operation(Op::logical_and, type, condition, each.counts)
                          : b_.select(condition, each.counts, b_.constant(type, 0));
        frames_.back().push_back(std::move(each));
    }
}

void CoverNotes::give_each(Frame frame, Loop loop) {
    const Scalar word{64, false};
    std::vector<std::pair<std::size_t, std::uint32_t>> carried; // note; index in the loop
    for (std::size_t k = 0; k < frame.size(); ++k) {
        const NodeId counts = b_.convert(word, frame[k].counts);
        if (b_.free_in(counts).empty()) {
            frame[k].counts =
                b_.operation(Op::multiply, word, counts, b_.constant(word, loop.count));
            continue;
        }
        const NodeId before = b_.carried(word);
        carried.emplace_back(k, static_cast<std::uint32_t>(loop.carried.size()));
        loop.carried.push_back(
            {before, b_.constant(word, 0), b_.operation(Op::add, word, before, counts)});
    }
    if (!carried.empty()) {
        const NodeId node = b_.loop(std::move(loop));
        for (const auto& [note, place] : carried)
            frame[note].counts = b_.loop_result(node, place);
    }
    Frame& around = frames_.back();
    around.insert(around.end(), frame.begin(), frame.end());
}

CoverNotes::Outside::Outside(CoverNotes* notes) : notes_{notes}, frames_(1) {
    if (notes_)
        frames_.swap(notes_->frames_);
}

CoverNotes::Outside::~Outside() {
    if (!notes_)
        return;
    frames_.swap(notes_->frames_);
    Frame& base = notes_->frames_.front();
    base.insert(base.end(), frames_.front().begin(), frames_.front().end());
}

void CoverNotes::condition(const Location& where, NodeId holds) {
    if (b_.constant_value(holds))
        return;
    note(CoverPoint::Kind::taken, where, holds);
    note(CoverPoint::Kind::not_taken, where, b_.logical_not(holds));
}

CoverPlan CoverNotes::plan(std::vector<NodeId>& results, std::optional<NodeId> edge) const {
    CoverPlan result;
    using Key = std::tuple<const Source*, std::uint32_t, CoverPoint::Kind>;
    std::map<Key, std::size_t> known;
    std::map<NodeId, std::uint32_t> numbers;
    for (const Note& each : frames_.front()) {
        const auto [found, fresh] = known.try_emplace(
            Key{each.where.source.get(), each.where.begin, each.kind}, result.points.size());
        if (fresh)
            result.points.push_back({each.kind, each.where, {}, 0});
        CoverPoint& point = result.points[found->second];
        const NodeId counts =
            edge ? b_.select(*edge, each.counts, b_.constant(b_.node(each.counts).type, 0))
                 : each.counts;
        if (const auto value = b_.constant_value(counts)) {
            point.always += *value;
            continue;
        }
        const auto [number, first] =
            numbers.try_emplace(counts, static_cast<std::uint32_t>(results.size()));
        if (first)
            results.push_back(counts);
        point.results.push_back(number->second);
    }
    return result;
}

void CoverChain::close(const Location& where, const Location& test, NodeId condition) {
    if (notes_)
        arms_.push_back({where, test, condition, notes_->take()});
}

void CoverChain::finish(bool reversed) {
    if (!notes_)
        return;
    if (reversed)
        std::reverse(arms_.begin(), arms_.end());
    Builder& b = notes_->builder();
    NodeId rest = b.boolean(true); // no earlier arm counts
    for (Arm& arm : arms_) {
        CoverFrame frame{notes_};
        notes_->line(arm.where);
        notes_->condition(arm.test, arm.condition);
        notes_->give(std::move(arm.inside), arm.condition);
        frame.close(rest);
        rest = b.operation(Op::logical_and, {1, false}, rest, b.logical_not(arm.condition));
    }
}

} // namespace sme::expr
