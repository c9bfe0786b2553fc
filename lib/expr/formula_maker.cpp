// SPDX-License-Identifier: Apache-2.0
#include "expr/formula_maker.hpp"

#include <algorithm>
#include <utility>

#include "expr/calls.hpp"
#include "expr/elaborator.hpp"
#include "expr/functions.hpp"

namespace sme::expr {

namespace {

/// What an elaborator takes for each part of an expression.
constexpr std::uint32_t work_each = 50;
/// From as many leaves on, it takes more for a value.
constexpr std::uint64_t most_leaves = 7;

bool is_short(const Type& type) {
    return type.is_scalar() && !type.is_wide();
}

} // namespace

std::optional<Formula> Formula::of(const Ast& ast, const TypeRef& type,
                                   std::vector<std::string> indices, Scope& scope) {
    return FormulaMaker{std::move(indices), scope}.formula(ast, type);
}

std::optional<Formula> FormulaMaker::formula(const Ast& ast, const TypeRef& wanted) {
    if (!is_short(*wanted))
        return std::nullopt;
    enter();
    const Made value = make_as(ast, wanted);
    if (!value.is_typed() || !(*value.type == *wanted) || !fits_)
        return std::nullopt;
    return std::move(made_);
}

FormulaMaker::Step& FormulaMaker::add(Kind kind) {
    if (made_.steps_.size() == Formula::most_steps) {
        fits_ = false;
        made_.steps_.pop_back(); // nobody will run them
    }
    Step& step = made_.steps_.emplace_back(Step{kind});
    step.work = std::exchange(work_, 0);
    switch (kind) {
    case Kind::number:
    case Kind::index:
        fits_ = fits_ && depth_ < Formula::deepest;
        ++depth_;
        break;
    case Kind::exact:
    case Kind::compare:
    case Kind::typed:
    case Kind::next_element:
    case Kind::leave_if: // where it goes, nothing was dropped
    case Kind::skip_unless: --depth_; break;
    default: break;
    }
    return step;
}

FormulaMaker::Step& FormulaMaker::add_typed(Kind kind, Op op, Scalar result, Scalar operand) {
    Step& step = add(kind);
    step.op = op;
    step.result = result;
    step.operand = operand;
    return step;
}

FormulaMaker::Made FormulaMaker::converted(const TypeRef& type) {
    add_typed(Kind::typed_alone, Op::convert, Scalar::of(*type), Scalar::of(*type));
    return {true, type};
}

bool FormulaMaker::fit(Made& number, const TypeRef& type, std::uint64_t below) {
    if (!type->is_integer()) {
        number = {};
        return false;
    }
    Step& step = add(Kind::fit);
    step.result = Scalar::of(*type);
    step.at = below;
    number.type = type;
    return true;
}

FormulaMaker::Made FormulaMaker::make(const Ast& ast) {
    work_ += work_each;
    switch (ast.kind) {
    case Ast::Kind::number:
        if (ast.words)
            return {};
        add(Kind::number).number = ast.value;
        return {true};
    case Ast::Kind::boolean:
        add(Kind::number).number = ast.value != 0 ? 1 : 0;
        return {true, Type::boolean()};
    case Ast::Kind::name: return name(ast);
    case Ast::Kind::index: return indexed(ast);
    case Ast::Kind::field:
        work_ -= work_each; // that part() takes
        return read(part(ast));
    case Ast::Kind::slice: return slice(ast);
    case Ast::Kind::unary: return unary(ast);
    case Ast::Kind::binary: return binary(ast);
    case Ast::Kind::conditional: return conditional(ast, nullptr);
    case Ast::Kind::call: return cast(ast);
    default: return {};
    }
}

FormulaMaker::Made FormulaMaker::make_as(const Ast& ast, const TypeRef& wanted) {
    if (ast.kind == Ast::Kind::conditional) {
        work_ += work_each;
        return conditional(ast, wanted);
    }
    Made value = make(ast);
    if (value.is_exact())
        fit(value, wanted, 0);
    return value;
}

FormulaMaker::Made FormulaMaker::name(const Ast& ast) {
    if (const auto index = std::find(indices_.begin(), indices_.end(), ast.text);
        index != indices_.end()) {
        add(Kind::index).at = static_cast<std::uint64_t>(index - indices_.begin());
        return {true};
    }
    const Value* found = scope_.find(ast.text);
    if (found && found->is_constant()) {
        add(Kind::number).number = found->low;
        return {true};
    }
    if (!found || found->kind != Value::Kind::constants || !is_short(*found->constants->type))
        return {};
    return read(Part{found->constants, found->constants->type});
}

std::optional<FormulaMaker::Part> FormulaMaker::part(const Ast& ast) {
    if (ast.kind == Ast::Kind::name) {
        work_ += work_each;
        const bool is_index =
            std::find(indices_.begin(), indices_.end(), ast.text) != indices_.end();
        const Value* found = is_index ? nullptr : scope_.find(ast.text);
        if (!found || found->kind != Value::Kind::constants)
            return std::nullopt;
        return Part{found->constants, found->constants->type};
    }
    if (ast.kind != Ast::Kind::index && ast.kind != Ast::Kind::field)
        return std::nullopt;
    work_ += work_each;
    std::optional<Part> base = part(*ast.kids[0]);
    if (!base)
        return std::nullopt;
    if (ast.kind == Ast::Kind::index) {
        for (std::size_t k = 1; k < ast.kids.size(); ++k)
            if (!part_index(*base, *ast.kids[k]))
                return std::nullopt;
        return ast.kids.size() > 1 ? base : std::nullopt;
    }
    const bool has_fields =
        base->type->kind() == TypeKind::structure && base->type->leaf_count() <= most_leaves;
    const int field = has_fields ? base->type->find_field(ast.text) : -1;
    if (field < 0)
        return std::nullopt;
    for (int k = 0; k < field; ++k)
        base->leaf += base->type->fields()[static_cast<std::size_t>(k)].type->leaf_count();
    base->type = TypeRef{base->type->fields()[static_cast<std::size_t>(field)].type};
    // an array in a struct was read out: indices choose among its nodes
    return base->type->kind() == TypeKind::array ? std::nullopt : base;
}

bool FormulaMaker::part_index(Part& base, const Ast& index) {
    if (base.type->kind() != TypeKind::array)
        return false;
    const Made at = make(index);
    if (!at.is_exact() && !(at.is_typed() && at.type->kind() == TypeKind::unsigned_integer))
        return false;
    Step& step = add(base.moved ? Kind::next_element : Kind::element);
    base.moved = true;
    step.number = static_cast<Integer>(base.type->count());
    base.type = TypeRef{base.type->element()};
    step.at = base.type->leaf_count();
    return true;
}

FormulaMaker::Made FormulaMaker::read(const std::optional<Part>& part) {
    if (!part || !is_short(*part->type))
        return {};
    if (!part->moved) {
        add(Kind::number).number = part->array->leaves[part->leaf];
        return {true, part->type};
    }
    Step& step = add(Kind::read);
    step.array = part->array->leaves.data();
    step.at = part->leaf;
    made_.arrays_.push_back(part->array);
    return {true, part->type};
}

FormulaMaker::Made FormulaMaker::indexed(const Ast& ast) {
    const Value* found =
        ast.kids[0]->kind == Ast::Kind::name ? scope_.find(ast.kids[0]->text) : nullptr;
    const bool is_part = ast.kids[0]->kind == Ast::Kind::index ||
                         (found && found->kind == Value::Kind::constants &&
                          found->constants->type->kind() == TypeKind::array);
    if (is_part) {
        work_ -= work_each; // that part() takes
        return read(part(ast));
    }
    const Made base = make(*ast.kids[0]);
    return ast.kids.size() == 2 ? bit(base, *ast.kids[1]) : Made{};
}

FormulaMaker::Made FormulaMaker::bit(const Made& base, const Ast& index) {
    if (!base.is_integer())
        return {};
    const TypeRef bits = Type::unsigned_integer(static_cast<unsigned>(base.type->width_bits()));
    converted(bits);
    Part whole{nullptr, Type::array(Type::boolean(), base.type->width_bits())};
    if (!part_index(whole, index))
        return {};
    add_typed(Kind::typed, Op::shift_right, Scalar::of(*bits), Scalar::of(*bits));
    return converted(Type::boolean());
}

std::optional<Integer> FormulaMaker::constant(const Ast& ast) {
    FormulaMaker inner{{}, scope_};
    if (!inner.make(ast).is_exact() || !inner.fits_ || !inner.made_.run({}))
        return std::nullopt;
    work_ += static_cast<std::uint32_t>(inner.made_.work());
    return inner.made_.stack_[0];
}

FormulaMaker::Made FormulaMaker::slice(const Ast& ast) {
    const Made base = make(*ast.kids[0]);
    const std::optional<Integer> high = constant(*ast.kids[1]);
    const std::optional<Integer> low = constant(*ast.kids[2]);
    if (!base.is_integer() || !high || !low || *low < 0 || *high < *low ||
        *high >= static_cast<Integer>(base.type->width_bits()))
        return {};
    const Made bits =
        converted(Type::unsigned_integer(static_cast<unsigned>(base.type->width_bits())));
    add(Kind::number).number = *low;
    const Scalar type = Scalar::of(*bits.type);
    add_typed(Kind::typed, Op::shift_right, type, type);
    return converted(Type::unsigned_integer(static_cast<unsigned>(*high - *low + 1)));
}

FormulaMaker::Made FormulaMaker::cast(const Ast& ast) {
    const Ast& callee = *ast.kids[0];
    if (callee.kind != Ast::Kind::name || ast.kids.size() != 2 || is_builtin(callee.text) ||
        callee.text == "u" || callee.text == "i" || scope_.find_function(callee.text) ||
        std::count(indices_.begin(), indices_.end(), callee.text) || scope_.find(callee.text))
        return {};
    Builder unused;
    Diagnostics quiet;
    const TypeRef type = Elaborator{unused, scope_, quiet}.type(callee);
    if (!type || !is_short(*type))
        return {};
    const Made value = make(*ast.kids[1]);
    const bool from_number =
        value.known && (!value.type || value.type->kind() != TypeKind::enumeration);
    if (type->is_integer() && from_number)
        return converted(type);
    if (!value.is_typed() || value.type->width_bits() != type->width_bits())
        return {};
    return converted(type); // the same bits
}

} // namespace sme::expr
