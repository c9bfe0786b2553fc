// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/loop_frame.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::expr {

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
    : e_{elaborator}, b_{elaborator.builder()}, steps_before_{b_.loops().steps},
      errors_before_{elaborator.diagnostics().errors()} {
    Builder::Loops& loops = b_.loops();
    Integer count = 1;
    for (const LoopIndex& index : indices)
        count = std::min(count * static_cast<Integer>(index.count), Integer{1} << 62);
    const bool is_small = count <= static_cast<Integer>(Fuel::max_loop_steps);
    loop_ = std::make_shared<BoundLoop>(
        BoundLoop{where, is_small ? static_cast<std::uint64_t>(count) : 1, loops.open});
    if (!is_small) {
        e_.report(too_many_steps(where, count, 1, 1));
        open_ = ok_ = false;
        return;
    }
    ++loops.open;
    loops.steps = std::min(loops.steps * loop_->count, Fuel::max_loop_steps + 1);
    loops.longest = std::max(loops.longest, loop_->count);
    bind(indices);
}

bool LoopFrame::charge(bool in_others, unsigned weight) {
    if (e_.is_trial())
        return true;
    loop_->steps = static_cast<Integer>(loop_->count) *
                   static_cast<Integer>(in_others ? steps_before_ : b_.loops().instances);
    if (loop_->steps * static_cast<Integer>(weight) <=
        static_cast<Integer>(e_.scope().fuel().loop_steps))
        return true;
    e_.report(too_many_steps(loop_->where, loop_->steps, 1, weight));
    return false;
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
        if (index->count == 1) {
            e_.bind(index->name, BoundExpr::step(index->low));
            continue;
        }
        BoundExpr value =
            BoundExpr::between(index->low, index->low + static_cast<Integer>(index->count) - 1);
        value.what = std::make_shared<const LoopRef>(LoopRef{loop_, inner});
        e_.bind(index->name, std::move(value));
        inner *= index->count;
    }
}

bool LoopFrame::is_known(const BoundExpr& value) const {
    return !value.in_run && (value.loops & ~loop_bit(*loop_)) == 0;
}

// Finds runs in three steps: 1. Adjacent elements whose trees are equal except for constants form a
// run; rows with the same runs merge, then planes of such rows. 2. The expression is elaborated
// once more for each run, with indices of which only the range is known. 3. The run counts if that
// tree matches those of its elements.

namespace {

/// Returns true if two matches have the same arms.
bool have_same_arms(const BoundExpr& a, const BoundExpr& b) {
    if (a.kind != BoundExpr::Kind::match)
        return true;
    const auto are_same = [](const BoundPatterns& x, const BoundPatterns& y) {
        return std::equal(
            x.begin(), x.end(), y.begin(), y.end(),
            [](const BoundPattern& p, const BoundPattern& q) { return p.text == q.text; });
    };
    const std::vector<BoundPatterns>&x = a.details->match->arms, &y = b.details->match->arms;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), are_same);
}

/// Returns true if two expressions are equal except for constants. With `varies`, `a` may have a
/// range where `b` has a constant.
bool are_alike(const BoundExpr& a, const BoundExpr& b, bool varies) {
    if (a.ast != b.ast)
        return false;
    if (b.is_constant() && (a.is_constant() || (varies && a.is_exact())))
        return true;
    const TypeRef &of_a = type_of(a), &of_b = type_of(b);
    if (a.kind != b.kind || !of_a != !of_b || (of_a && !(*of_a == *of_b)) ||
        a.operands.size() != b.operands.size() || !have_same_arms(a, b))
        return false;
    for (std::size_t k = 0; k < a.operands.size(); ++k) {
        const BoundRef &x = a.operands[k], &y = b.operands[k];
        if (!x != !y || (x && !are_alike(*x, *y, varies)))
            return false;
    }
    return true;
}

bool is_known(const BoundExpr& bound) {
    return bound.is_number() || bound.known ||
           (bound.constants() && type_of(bound)->kind() == TypeKind::array);
}

/// Elaborates the expression with indices of which only the ranges are known; null if it has no
/// value.
BoundRef of_unknown(const Ast& ast, const std::vector<LoopIndex>& indices, const TypeRef& element,
                    Elaborator& elaborator) {
    const Ast& body = *ast.operands.back();
    LoopFrame frame{elaborator, indices, body.where};
    if (!frame.ok())
        return nullptr;
    const BoundExpr result = elaborator.bound_value(body);
    const bool fits = result.ok() && elaborator.fits(result, element, body.where, "an element");
    return fits ? elaborator.operand(result) : nullptr;
}

/// A box of elements with equal trees: a range for each index.
struct Box {
    std::vector<BoundRange> ranges;
    std::uint64_t first; // number of the first element

    std::uint64_t size() const {
        std::uint64_t result = 1;
        for (const BoundRange& range : ranges)
            result *= range.count;
        return result;
    }
};

class Boxes {
public:
    Boxes(const std::vector<BoundRef>& elements, const std::vector<std::uint64_t>& counts)
        : elements_{elements}, counts_{counts} {}

    /// Returns the boxes over the indices from `d` on; the outer indices are those of element
    /// `first`.
    std::vector<Box> from(std::size_t d = 0, std::uint64_t first = 0) const {
        if (d == counts_.size())
            return {{{}, first}};
        std::uint64_t row = 1;
        for (std::size_t inner = d + 1; inner < counts_.size(); ++inner)
            row *= counts_[inner];
        std::vector<Box> result;
        for (std::uint64_t k = 0; k < counts_[d];) {
            const std::vector<Box> rows = from(d + 1, first + k * row);
            std::uint64_t end = k + 1;
            while (end < counts_[d] && are_alike_all(rows, from(d + 1, first + end * row)))
                ++end;
            for (Box box : rows) {
                box.ranges.insert(box.ranges.begin(), {k, end - k, counts_[d]});
                result.push_back(std::move(box));
            }
            k = end;
        }
        return result;
    }

private:
    bool are_alike_all(const std::vector<Box>& a, const std::vector<Box>& b) const {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Box& x, const Box& y) {
            return x.ranges == y.ranges &&
                   are_alike(*elements_[x.first], *elements_[y.first], false);
        });
    }

    const std::vector<BoundRef>& elements_;
    const std::vector<std::uint64_t>& counts_;
};

std::vector<LoopIndex> indices_of(const Box& box, const Ast& ast) {
    std::vector<LoopIndex> result;
    for (std::size_t d = 0; d < box.ranges.size(); ++d)
        result.push_back({ast.operands[d + 1]->operands[0]->text,
                          static_cast<Integer>(box.ranges[d].first), box.ranges[d].count});
    return result;
}

} // namespace

std::vector<BoundRun> array_runs(const BoundExpr& array, const Ast& ast,
                                 const std::vector<std::uint64_t>& counts, Elaborator& elaborator) {
    constexpr std::uint64_t shortest = 4;
    const std::vector<BoundRef>& elements = array.operands;
    const Elaborator::ExporterTrial trial{elaborator};
    std::vector<BoundRun> result;
    for (const Box& box : Boxes{elements, counts}.from()) {
        const BoundExpr& element = *elements[box.first];
        const std::uint64_t each = element.more().runs.empty() ? 1 : element.operands.size();
        const bool in_one_row = box.ranges[0].count == 1 && (counts.size() > 1 || each > 1);
        if (box.size() * each < shortest || in_one_row || is_known(element))
            continue;
        if (BoundRef one = of_unknown(ast, indices_of(box, ast), array.type->element(), elaborator);
            one && are_alike(*one, element, true))
            result.push_back({box.ranges, std::move(one)});
    }
    return result;
}

} // namespace sme::expr
