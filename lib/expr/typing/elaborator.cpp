// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/elaborator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/cast_advice.hpp"
#include "expr/typing/fixed_point.hpp"
#include "expr/typing/functions.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::expr {

BoundExpr Elaborator::fail(Code code, const Location& where, std::string message) {
    diagnostics_.add(code, where, std::move(message));
    return {};
}

std::string Elaborator::describe_type(const BoundExpr& value) const {
    switch (value.form) {
    case Form::exact:
    case Form::long_number: return "an integer";
    case Form::typed: return value.type->name();
    case Form::constants: return value.constants()->type->name();
    case Form::memory:
        return fmt::format("{}[{}]", value.memory()->element->name(),
                           fmt::join(value.memory()->dimensions, ", "));
    case Form::family:
        return fmt::format("a family of {}{}", value.family()->what,
                           value.family()->what.ends_with('s') ? "es" : "s");
    case Form::members: return "a process";
    case Form::broken: break;
    }
    return "?";
}

bool Elaborator::spend(std::uint64_t units, const Location& where) {
    if (is_trial())
        return true;
    Fuel& fuel = scope_.fuel();
    const bool fits = builder_.size() <= fuel.most_operations() && !fuel.reported;
    if (fits && fuel.spend(units))
        return true;
    report(fits ? TooLarge{where, "unrolling all this takes longer than any network may; use "
                                  "smaller ranges, or fewer of them inside each other"}
                : too_many_operations(where));
    return false;
}

void Elaborator::report(const TooLarge& problem) {
    if (problem.of_loop) {
        builder_.loops().longest = ~std::uint64_t{0};
        builder_.loops().failed = true;
    } else if (std::exchange(scope_.fuel().reported, true))
        return;
    fail(Code::too_large, problem.where, problem.message);
}

BoundExpr Elaborator::bound(const Ast& ast, const TypeRef& wanted) {
    if (!spend(50, ast.where))
        return {};
    if (depth_ == deepest)
        return fail(
            Code::too_deep, ast.where,
            "too many lets and functions need each other; write each below those that it needs");
    ++depth_;
    BoundExpr value = evaluate_kind(ast, wanted);
    --depth_;
    if (!value.is_written())
        complete(value, BoundExpr::Kind::leaf, &ast, {});
    if (!charge(value, ast.where))
        return {};
    return value;
}

/// Charges the work for a value with many scalars.
bool Elaborator::charge(const BoundExpr& value, const Location& where) {
    if (value.form != Form::typed || value.type->is_scalar())
        return true;
    const std::uint64_t scalars = value.type->leaf_count();
    return scalars < 8 || spend(10 * scalars, where);
}

BoundExpr Elaborator::evaluate_kind(const Ast& ast, const TypeRef& wanted) {
    switch (ast.kind) {
    case Ast::Kind::number:
        return ast.words ? BoundExpr::long_number(ast.words) : BoundExpr::number(ast.value);
    case Ast::Kind::decimal: return FixedPoint{*this}.literal(ast);
    case Ast::Kind::boolean: return BoundExpr::boolean(ast.value != 0);
    case Ast::Kind::name: return name(ast, wanted);
    case Ast::Kind::index: return indexed(ast);
    case Ast::Kind::slice: return slice(ast);
    case Ast::Kind::field: return field(ast);
    case Ast::Kind::call: return Calls{*this}.call(ast);
    case Ast::Kind::unary: return unary(ast);
    case Ast::Kind::binary: return binary(ast);
    case Ast::Kind::conditional: return conditional(ast, wanted);
    case Ast::Kind::fields: return Calls{*this}.fields(ast, wanted);
    case Ast::Kind::named:
        return fail(Code::bad_call, ast.where,
                    fmt::format("'{} = ...' is the field of a struct; it is allowed only in a call "
                                "that makes one",
                                ast.text));
    case Ast::Kind::range:
        if (const auto bound = locals_.find(ast.text); bound != locals_.end())
            return bound->second;
        return fail(Code::bad_range, ast.where,
                    "a range is allowed only in the brackets of a target");
    case Ast::Kind::list:
    case Ast::Kind::file: break;
    }
    return fail(Code::expression_syntax, ast.where,
                "a list is allowed only after '=' of a constant or an initial value");
}

BoundExpr Elaborator::bound_as(const Ast& ast, const TypeRef& type, const std::string& what,
                               const Location& declared) {
    return fitted(bound_value(ast, type), type, ast.where, what, declared);
}

BoundExpr Elaborator::bound_truth(const Ast& ast, const char* what) {
    return as_truth(bound_value(ast), ast.where, what);
}

std::optional<NodeId> Elaborator::condition(const Ast& ast, const char* what) {
    const BoundExpr found = truth(ast, what);
    return found.ok() ? std::optional{found.leaves[0]} : std::nullopt;
}

BoundExpr Elaborator::as_truth(BoundExpr value, const Location& where, const char* what) {
    if (!value.ok() || value.is_bool())
        return value;
    return fail(
        Code::type_mismatch, where,
        fmt::format("{} is a bool, but this is {}{}", what, describe_type(value),
                    value.is_number() || (value.form == Form::typed && value.type->is_integer())
                        ? "; write '... != 0'"
                        : ""));
}

std::optional<Integer> Elaborator::constant(const Ast& ast, const char* what) {
    const BoundExpr value = bound(ast);
    if (!value.ok())
        return std::nullopt;
    if (value.is_constant())
        return value.low;
    if (value.form == Form::long_number) {
        needs_type(ast);
        return std::nullopt;
    }
    fail(Code::not_constant, ast.where,
         fmt::format("{} is an integer known before the run, but this is {}", what,
                     value.is_exact() ? "an index" + loop_advice(builder_) : describe_type(value)));
    return std::nullopt;
}

BoundExpr Elaborator::name(const Ast& ast, const TypeRef& wanted) {
    const auto local = locals_.find(ast.text);
    const BoundExpr* const named = local != locals_.end() ? &local->second : scope_.find(ast.text);
    if (named) {
        BoundExpr found = without_expression(*named);
        // arrays wait for their index; other names are values
        return found.form == Form::constants && found.constants()->type->kind() != TypeKind::array
                   ? read(std::move(found), ast.where)
                   : found;
    }
    if (wanted &&
        wanted->kind() == TypeKind::enumeration) // its type may have no name: that of "at"
        if (const Member* const member = wanted->find_member(ast.text))
            return read(member_named(wanted, member->value), ast.where);
    if (const std::string why = scope_.why_no_value(ast.text, "in"); !why.empty())
        return fail(Code::unknown_name, ast.where, why);
    std::vector<std::string> known;
    if (diagnostics_.suppressed() == 0) // else the diagnostics are not shown
        scope_.names(known);
    for (const auto& [name, value] : locals_)
        known.push_back(name);
    std::string hint = did_you_mean(ast.text, known);
    static const std::map<std::string, std::string> spellings{{"on", "true"},   {"yes", "true"},
                                                              {"off", "false"}, {"no", "false"},
                                                              {"True", "true"}, {"False", "false"}};
    if (const auto spelled = spellings.find(ast.text); spelled != spellings.end())
        hint = fmt::format("; a bool is written '{}'", spelled->second);
    else if (Trial trial{scope_.fuel()}; Elaborator{builder_, scope_, trial.diagnostics}.type(ast))
        hint = "; it is a type, and makes a value as in " + ast.text + "(...)";
    return fail(Code::unknown_name, ast.where,
                fmt::format("nothing is named '{}' here{}", ast.text, hint));
}

BoundExpr Elaborator::read(BoundExpr value, const Location& where) {
    if (value.form == Form::constants) {
        const ConstantArray& array = *value.constants();
        if (array.leaves.size() > max_leaves)
            return fail(Code::too_large, where,
                        fmt::format("this array has {} scalars, but a value can have {}; index it",
                                    array.leaves.size(), max_leaves));
        value.form = Form::typed;
        value.type = array.type;
        if (array.type->is_scalar() && !array.type->is_wide())
            value.known = canonical_of(*array.type, array.leaves[0]);
        return value;
    }
    if (value.form == Form::memory)
        return loaded_words(std::move(value), where);
    if (value.form == Form::family || value.form == Form::members)
        return fail(Code::bad_index, where,
                    fmt::format("this is {}; {}", describe_type(value),
                                value.form == Form::family ? "write an index in brackets after it"
                                                           : "write '.' and a state of it"));
    return value;
}

BoundExpr Elaborator::fitted(BoundExpr value, const TypeRef& type, const Location& where,
                             const std::string& what, const Location& declared) {
    if (value.ok() && type->is_fixed())
        return FixedPoint{*this}.assigned(value, type, where, what, declared);
    if (!value.ok() || !fits(value, type, where, what, declared))
        return {};
    if (!value.is_number())
        return value;
    BoundExpr result = BoundExpr::of(type);
    result.kind = BoundExpr::Kind::fit;
    if (value.is_constant() && !type->is_wide())
        result.known = canonical_of(*type, static_cast<std::uint64_t>(value.low));
    result.operands = {operand(std::move(value))};
    note_dependence(result);
    settle(result);
    return result;
}

bool Elaborator::fits(const BoundExpr& value, const TypeRef& type, const Location& where,
                      const std::string& what, const Location& declared) {
    if (!value.ok())
        return false;
    if (value.is_number() && type->is_integer()) {
        if (number_fits(value, *type))
            return true;
        const bool constant = value.is_constant() || !value.is_exact();
        const TypeRef given = constant ? nullptr : narrowest_type(value.low, value.high);
        fail(Code::does_not_fit, where,
             constant
                 ? fmt::format("{} is {}, and {} does not fit it ({})", what, type->name(),
                               number_text(value), range_text(*type))
                 : fmt::format("{} is {}, but this can be {} to {}{}", what, type->name(),
                               to_string(value.low), to_string(value.high),
                               given ? cast_advice(*given, *type, where) : cast_advice(*type)));
        return false;
    }
    if (value.form == Form::typed && *value.type == *type)
        return true;
    const bool both_integers =
        type->is_integer() && value.form == Form::typed && value.type->is_integer();
    const bool number_for_bool =
        type->kind() == TypeKind::boolean &&
        (value.is_number() || (value.form == Form::typed && value.type->is_integer()));
    const bool typed = value.form == Form::typed;
    const auto [wanted, given] =
        typed ? distinct_names(*type, *value.type) : std::pair{type->name(), describe_type(value)};
    Diagnostic& found =
        diagnostics_.add(both_integers ? Code::width_mismatch : Code::type_mismatch, where,
                         fmt::format("{} is {}, but this expression is {}{}", what, wanted, given,
                                     number_for_bool ? std::string{"; write '... != 0'"}
                                     : typed         ? cast_advice(*value.type, *type, where)
                                                     : cast_advice(*type)));
    if (declared.known())
        found.note(declared, fmt::format("{} is declared {} here", what, type->name()));
    return false;
}

std::string Elaborator::no_field(const Type& type, const std::string& name) {
    std::vector<std::string> names;
    for (const Field& field : type.fields())
        names.push_back(field.name);
    return fmt::format("{} has no field '{}'{}", type.name(), name, did_you_mean(name, names));
}

BoundExpr Elaborator::field(const Ast& ast) {
    const Ast& of = *ast.operands[0];
    if (of.kind == Ast::Kind::name && !is_known(of.text))
        if (const TypeRef type = scope_.find_type(of.text))
            return member(type, ast);
    BoundExpr base = bound(*ast.operands[0]);
    if (!base.ok())
        return {};
    if (base.form == Form::members) {
        BoundExpr found = base.members()->find(ast.text, ast.where);
        if (found.more().candidates.empty())
            return found;
        const std::shared_ptr<const BoundDetails> details = found.details;
        return made_of(std::move(found), BoundExpr::Kind::field, &ast, operands_of(std::move(base)),
                       details);
    }
    if (base.form != Form::typed || base.type->kind() != TypeKind::structure)
        return fail(Code::unknown_field, ast.where,
                    fmt::format("this is {}, which has no fields", describe_type(base)));
    const int position = base.type->find_field(ast.text);
    if (position < 0)
        return fail(Code::unknown_field, ast.where, no_field(*base.type, ast.text));
    BoundExpr result = BoundExpr::of(base.type->fields()[static_cast<std::size_t>(position)].type);
    return made_of(std::move(result), BoundExpr::Kind::field, &ast, operands_of(std::move(base)));
}

BoundExpr Elaborator::indexed(const Ast& ast) {
    BoundExpr found = indexed_so_far(ast);
    if (found.form == Form::memory) // a row without further indices
        return read(std::move(found), ast.where);
    return found;
}

/// Like `indexed`, but a row of a memory stays open for further indices.
BoundExpr Elaborator::indexed_so_far(const Ast& ast) {
    if (ast.operands.size() == 1)
        return fail(Code::bad_index, ast.where, "an index is missing between the brackets");
    const Ast& of = *ast.operands[0];
    BoundExpr base = of.kind != Ast::Kind::index ? bound(of)
                     : spend(50, of.where)       ? indexed_so_far(of)
                                                 : BoundExpr{};
    std::vector<BoundExpr> indices;
    std::vector<Location> where;
    for (std::size_t k = 1; k < ast.operands.size(); ++k) {
        indices.push_back(bound_value(*ast.operands[k]));
        where.push_back(ast.operands[k]->where);
        if (!indices.back().ok())
            return {};
    }
    if (!base.ok())
        return base;
    BoundExpr result = element(base, indices, where, ast.where);
    if (!result.ok())
        return result;
    std::vector<BoundRef> operands = operands_of(std::move(base));
    for (BoundExpr& index : indices)
        operands.push_back(operand(std::move(index)));
    const std::shared_ptr<const BoundDetails> details = result.details; // of a family
    return made_of(std::move(result), BoundExpr::Kind::element, &ast, std::move(operands), details);
}

BoundExpr Elaborator::slice(const Ast& ast) {
    BoundExpr base = bound(*ast.operands[0]);
    const std::optional<Integer> high = constant(*ast.operands[1], "the high end of a slice");
    const std::optional<Integer> low = constant(*ast.operands[2], "the low end of a slice");
    if (!base.ok() || !high || !low)
        return {};
    if (base.form != Form::typed || !base.type->is_integer())
        return fail(Code::operand_type, ast.where,
                    fmt::format("a slice is cut out of an integer with a type, but this is {}{}",
                                describe_type(base), bits_advice(base)));
    const auto width = static_cast<Integer>(base.type->width_bits());
    if (*low < 0 || *high < *low || *high >= width)
        return fail(Code::bad_index, ast.where,
                    fmt::format("[{}:{}] is no slice of {}: write the higher bit first, at most {}",
                                to_string(*high), to_string(*low), base.type->name(),
                                to_string(width - 1)));
    return made_of(BoundExpr::of(Type::unsigned_integer(static_cast<unsigned>(*high - *low + 1))),
                   BoundExpr::Kind::slice, &ast,
                   operands_of(std::move(base), BoundExpr::number(*high), BoundExpr::number(*low)));
}

} // namespace sme::expr
