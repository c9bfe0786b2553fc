// SPDX-License-Identifier: Apache-2.0
//
// 1. Neighbours whose trees are alike but for numbers that are known are a run; 2. the expression
// is elaborated once more for each run, with an index of which only the range is known; 3. the run
// counts where that tree is like those of its elements.
#include "expr/calls/array_runs.hpp"

#include <algorithm>
#include <utility>

#include "expr/calls/loop_frame.hpp"

namespace sme::expr {

namespace {

/// Of a number without a type: null.
const Type* type_of(const Value& value) {
    return value.kind == Value::Kind::constants ? value.constants->type.get() : value.type.get();
}

/// Whether two trees are the same but for numbers that are known. With `varies`, such a number of
/// `b` may be one of a range in `a`.
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
           (value.leaves.size() == 1 && builder.constant_value(value.leaves[0]));
}

/// The expression with an index of which only the range is known; null where it has no value.
TypedRef of_unknown(const Ast& ast, const LoopIndex& index, const TypeRef& element,
                    Elaborator& elaborator) {
    const Ast& body = *ast.operands.back();
    LoopFrame frame{elaborator, {index}, body.where};
    if (!frame.ok())
        return nullptr;
    const Value made = elaborator.loaded(elaborator.evaluate(body), body.where);
    const bool fits = made.ok() && elaborator.fit(made, element, body.where, "an element").ok();
    return fits ? Elaborator::tree_of(made) : nullptr;
}

} // namespace

std::vector<TypedRun> array_runs(const Value& array, const Ast& ast, Elaborator& elaborator) {
    constexpr std::uint64_t shortest = 4;
    const std::vector<TypedRef>& elements = array.tree->operands;
    const std::string& name = ast.operands[1]->operands[0]->text;
    const Diagnostics before = elaborator.diagnostics();
    const Builder::Loops loops = elaborator.builder().loops();
    std::vector<TypedRun> made;
    for (std::uint64_t first = 0; first < elements.size();) {
        std::uint64_t end = first + 1;
        while (end < elements.size() && are_alike(*elements[first], *elements[end], false))
            ++end;
        const LoopIndex index{name, static_cast<Integer>(first), end - first};
        if (end - first >= shortest && !is_known(elements[first]->value, elaborator.builder()))
            if (TypedRef one = of_unknown(ast, index, array.type->element(), elaborator);
                one && are_alike(*one, *elements[first], true))
                made.push_back({first, end - first, std::move(one)});
        first = end;
    }
    elaborator.diagnostics() = before;
    elaborator.builder().loops() = loops;
    return made;
}

} // namespace sme::expr
