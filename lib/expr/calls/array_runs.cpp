// SPDX-License-Identifier: Apache-2.0
//
// Finds runs in three steps: 1. Adjacent elements whose trees are equal except for constants form a
// run; rows with the same runs merge, then planes of such rows. 2. The expression is elaborated
// once more for each run, with indices of which only the range is known. 3. The run counts if that
// tree matches those of its elements.
#include "expr/calls/array_runs.hpp"

#include <algorithm>
#include <utility>

#include "expr/calls/loop_frame.hpp"

namespace sme::expr {

namespace {

/// Returns the type, or null for a number without a type.
const Type* type_of(const Value& value) {
    return value.kind == Value::Kind::constants ? value.constants->type.get() : value.type.get();
}

/// Returns true if two trees are equal except for constants. With `varies`, `a` may have a range
/// where `b` has a constant.
bool are_alike(const Typed& a, const Typed& b, bool varies) {
    if (a.ast != b.ast)
        return false;
    if (b.value.is_constant() && (a.value.is_constant() || (varies && a.value.is_exact())))
        return true;
    const Type *const of_a = type_of(a.value), *const of_b = type_of(b.value);
    if (a.kind != b.kind || a.match != b.match || !of_a != !of_b || (of_a && !(*of_a == *of_b)) ||
        a.operands.size() != b.operands.size())
        return false;
    for (std::size_t k = 0; k < a.operands.size(); ++k) {
        const TypedRef &x = a.operands[k], &y = b.operands[k];
        if (!x != !y || (x && !are_alike(*x, *y, varies)))
            return false;
    }
    return true;
}

bool is_known(const Value& value, const Builder& builder) {
    return value.is_number() || value.kind == Value::Kind::constants ||
           (!value.leaves.empty() &&
            std::all_of(value.leaves.begin(), value.leaves.end(),
                        [&](NodeId leaf) { return builder.constant_value(leaf).has_value(); }));
}

/// Elaborates the expression with indices of which only the ranges are known; null if it has no
/// value.
TypedRef of_unknown(const Ast& ast, const std::vector<LoopIndex>& indices, const TypeRef& element,
                    Elaborator& elaborator) {
    const Ast& body = *ast.operands.back();
    LoopFrame frame{elaborator, indices, body.where};
    if (!frame.ok())
        return nullptr;
    const Value made = elaborator.loaded(elaborator.evaluate(body), body.where);
    const bool fits = made.ok() && elaborator.fit(made, element, body.where, "an element").ok();
    return fits ? Elaborator::tree_of(made) : nullptr;
}

/// A box of elements with equal trees: a range for each index.
struct Box {
    std::vector<TypedRange> ranges;
    std::uint64_t first; // number of the first element

    std::uint64_t size() const {
        std::uint64_t made = 1;
        for (const TypedRange& range : ranges)
            made *= range.count;
        return made;
    }
};

class Boxes {
public:
    Boxes(const std::vector<TypedRef>& elements, const std::vector<std::uint64_t>& counts)
        : elements_{elements}, counts_{counts} {}

    /// Returns the boxes over the indices from `d` on; the outer indices are those of element
    /// `first`.
    std::vector<Box> from(std::size_t d = 0, std::uint64_t first = 0) const {
        if (d == counts_.size())
            return {{{}, first}};
        std::uint64_t row = 1;
        for (std::size_t inner = d + 1; inner < counts_.size(); ++inner)
            row *= counts_[inner];
        std::vector<Box> made;
        for (std::uint64_t k = 0; k < counts_[d];) {
            const std::vector<Box> rows = from(d + 1, first + k * row);
            std::uint64_t end = k + 1;
            while (end < counts_[d] && are_alike_all(rows, from(d + 1, first + end * row)))
                ++end;
            for (Box box : rows) {
                box.ranges.insert(box.ranges.begin(), {k, end - k, counts_[d]});
                made.push_back(std::move(box));
            }
            k = end;
        }
        return made;
    }

private:
    bool are_alike_all(const std::vector<Box>& a, const std::vector<Box>& b) const {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Box& x, const Box& y) {
            return x.ranges == y.ranges &&
                   are_alike(*elements_[x.first], *elements_[y.first], false);
        });
    }

    const std::vector<TypedRef>& elements_;
    const std::vector<std::uint64_t>& counts_;
};

std::vector<LoopIndex> indices_of(const Box& box, const Ast& ast) {
    std::vector<LoopIndex> made;
    for (std::size_t d = 0; d < box.ranges.size(); ++d)
        made.push_back({ast.operands[d + 1]->operands[0]->text,
                        static_cast<Integer>(box.ranges[d].first), box.ranges[d].count});
    return made;
}

} // namespace

std::vector<TypedRun> array_runs(const Value& array, const Ast& ast,
                                 const std::vector<std::uint64_t>& counts, Elaborator& elaborator) {
    constexpr std::uint64_t shortest = 4;
    const std::vector<TypedRef>& elements = array.tree->operands;
    const Diagnostics before = elaborator.diagnostics();
    const Builder::Loops loops = elaborator.builder().loops();
    std::vector<TypedRun> made;
    for (const Box& box : Boxes{elements, counts}.from()) {
        const Typed& element = *elements[box.first];
        const std::uint64_t each = element.runs.empty() ? 1 : element.operands.size();
        const bool in_one_row = box.ranges[0].count == 1 && (counts.size() > 1 || each > 1);
        if (box.size() * each < shortest || in_one_row ||
            is_known(element.value, elaborator.builder()))
            continue;
        if (TypedRef one = of_unknown(ast, indices_of(box, ast), array.type->element(), elaborator);
            one && are_alike(*one, element, true))
            made.push_back({box.ranges, std::move(one)});
    }
    elaborator.diagnostics() = before;
    elaborator.builder().loops() = loops;
    return made;
}

} // namespace sme::expr
