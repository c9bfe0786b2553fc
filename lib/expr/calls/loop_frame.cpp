// SPDX-License-Identifier: Apache-2.0
#include "expr/calls/loop_frame.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/program/parts.hpp"

namespace sme::expr {

namespace {

/// Operations of an average step; a longer step is charged as several.
constexpr std::size_t usual_operations = 32;

} // namespace

std::string loop_advice(Builder& builder) {
    const Builder::Loops& loops = builder.loops();
    return loops.open == 0
               ? std::string{}
               : fmt::format("; {} steps and more are a loop, in which the index is known only "
                             "while it runs: use it in shifts and brackets",
                             loops.from);
}

bool LoopFrame::is_wanted(Elaborator& elaborator, Integer steps) {
    const std::uint64_t from = elaborator.builder().loops().from;
    return from > 0 && steps >= static_cast<Integer>(from);
}

LoopFrame::LoopFrame(Elaborator& elaborator, const std::vector<LoopIndex>& indices,
                     const Location& where)
    : e_{elaborator}, b_{elaborator.builder()}, where_{where}, steps_before_{b_.loops().steps},
      errors_before_{elaborator.diagnostics().errors()}, nodes_before_{b_.size()},
      first_site_{static_cast<std::uint32_t>(b_.program().sites.size())} {
    Integer count = 1;
    for (const LoopIndex& index : indices)
        count = std::min(count * static_cast<Integer>(index.count), Integer{1} << 62);
    if (count > static_cast<Integer>(Fuel::max_loop_steps)) {
        open_ = ok_ = refuse(count, 1, 1);
        return;
    }
    count_ = static_cast<std::uint64_t>(count);
    Builder::Loops& loops = b_.loops();
    step_ = b_.step(count_, loops.open);
    ++loops.open;
    loops.steps = std::min(loops.steps * count_, Fuel::max_loop_steps + 1);
    loops.longest = std::max(loops.longest, count_);
    bind(indices);
}

/// Reports that a loop is too large; it is not unrolled either.
bool LoopFrame::refuse(Integer steps, std::size_t operations, unsigned weight) {
    b_.loops().longest = ~std::uint64_t{0};
    b_.loops().failed = true;
    const auto of = [&](std::size_t number) {
        return operations > usual_operations ? fmt::format(" of {} operations", number)
                                             : std::string{};
    };
    e_.fail(Code::too_large, where_,
            fmt::format("this takes {} steps{}{} in each cycle, but all loops together may take "
                        "{}{}; do a part of them in each cycle, with a state that says which",
                        to_string(steps), of(operations), weight > 1 ? " that write a word" : "",
                        Fuel::max_loop_steps / weight, of(usual_operations)));
    return false;
}

bool LoopFrame::charge(const std::vector<NodeId>& free, unsigned weight) {
    if (e_.keeps_trees())
        return true;
    Builder::Loops& loops = b_.loops();
    const Integer around = static_cast<Integer>(free.empty() ? loops.instances : steps_before_);
    const Integer steps = static_cast<Integer>(count_) * around;
    const std::size_t operations = b_.size() - nodes_before_;
    const Integer cost = steps * static_cast<Integer>(weight) *
                         static_cast<Integer>(1 + operations / usual_operations);
    std::uint64_t& left = e_.scope().fuel().loop_steps;
    if (cost > static_cast<Integer>(left))
        return refuse(steps, operations, weight);
    left -= static_cast<std::uint64_t>(cost);
    return true;
}

LoopFrame::~LoopFrame() {
    close();
}

void LoopFrame::close() {
    if (!open_)
        return;
    open_ = false;
    for (const std::string& name : names_)
        e_.unbind(name);
    Builder::Loops& loops = b_.loops();
    --loops.open;
    loops.steps = steps_before_;
    loops.failed = loops.failed || e_.diagnostics().errors() != errors_before_;
}

void LoopFrame::bind(const std::vector<LoopIndex>& indices) {
    std::uint64_t inner = 1; // consecutive steps with the same index
    for (auto index = indices.rbegin(); index != indices.rend(); ++index) {
        names_.push_back(index->name);
        const Integer high = index->low + static_cast<Integer>(index->count) - 1;
        if (index->count == 1) {
            e_.bind(index->name, Value::step(index->low));
            continue;
        }
        NodeId node = step_;
        const Scalar own = b_.type(step_);
        if (inner > 1)
            node = b_.operation(Op::divide, own, node, b_.constant(own, inner));
        if (inner * index->count < count_)
            node = b_.operation(Op::remainder, own, node, b_.constant(own, index->count));
        const Scalar type =
            scalar_between(std::min<Integer>(index->low, 0),
                           std::max<Integer>(high, static_cast<Integer>(index->count)))
                .value_or(Scalar{64, true});
        node = b_.operation(Op::add, type, b_.convert(type, node),
                            b_.constant(type, static_cast<std::uint64_t>(index->low)));
        e_.bind(index->name, Value::between(node, index->low, high));
        inner *= index->count;
    }
}

Loop LoopFrame::loop() const {
    Loop made;
    made.count = count_;
    made.step = step_;
    made.sites = {first_site_};
    return made;
}

bool LoopFrame::is_known(const std::vector<NodeId>& nodes,
                         const std::vector<NodeId>& carried) const {
    bool known = true;
    visit_nodes(nodes, [&](NodeId id, std::vector<NodeId>& open) {
        const Node& node = b_.node(id);
        switch (node.op) {
        case Op::step: known = known && id == step_; break;
        case Op::carried:
            known = known && std::find(carried.begin(), carried.end(), id) != carried.end();
            break;
        case Op::index:
        case Op::cycle:
        case Op::load:
        case Op::memory_read:
        case Op::random:
        case Op::loop: known = false; break;
        default: break;
        }
        if (known)
            for_each_operand(node, [&](NodeId operand) { open.push_back(operand); });
    });
    return known;
}

} // namespace sme::expr
