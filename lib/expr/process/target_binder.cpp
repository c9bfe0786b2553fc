// SPDX-License-Identifier: Apache-2.0
//
// The left side of an assignment: a state or an output, or a part of one.
#include "expr/process/step_binder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::expr {

namespace {

/// Returns a whole port or state as a target.
template <class Named> BoundTarget whole(const Named& named) {
    BoundTarget result;
    result.type = named.type;
    result.name = named.name;
    result.declared = named.declared;
    return result;
}

} // namespace

/// Returns an expression for exporters; null without an exporter.
BoundRef StepBinder::part(BoundExpr::Kind kind, const Ast& ast,
                          std::vector<BoundRef> operands) const {
    if (!e_.bindings())
        return nullptr;
    BoundExpr result;
    result.kind = kind;
    result.ast = &ast;
    result.operands = std::move(operands);
    return std::make_shared<const BoundExpr>(std::move(result));
}

/// Returns the element that indices select; without an index, the base.
BoundRef StepBinder::element(const Ast& ast, BoundRef base,
                             const std::vector<BoundExpr>& indices) const {
    if (indices.empty() || !base)
        return base;
    std::vector<BoundRef> operands = e_.operands_of_all(indices);
    operands.insert(operands.begin(), std::move(base));
    return part(BoundExpr::Kind::element, ast, std::move(operands));
}

/// Binds an index of `count` values from `low` on.
std::optional<BoundSelect> StepBinder::select(BoundSelect::Kind kind, BoundExpr index,
                                              std::int64_t low, std::uint64_t count,
                                              const Location& where) {
    if (!e_.check_index(index, low, count, where))
        return std::nullopt;
    return BoundSelect{kind, e_.operand(std::move(index)), low, count, where};
}

std::optional<BoundTarget> StepBinder::target(const Ast& ast) {
    if (ast.kind == Ast::Kind::slice)
        return slice_target(ast);
    if (const auto back = reverse_field(ast); back != outputs_.end())
        return reverse_target(*back->second, ast);
    if (ast.kind == Ast::Kind::field) {
        std::optional<BoundTarget> base = target(*ast.operands[0]);
        return base ? field_target(std::move(*base), ast) : std::nullopt;
    }
    if (ast.kind == Ast::Kind::index && ast.operands[0]->kind != Ast::Kind::name) {
        std::optional<BoundTarget> base = target(*ast.operands[0]);
        for (std::size_t k = 1; base && k < ast.operands.size(); ++k) {
            const BoundExpr index = e_.bound_value(*ast.operands[k]);
            if (!index.ok())
                return std::nullopt;
            base = element_target(std::move(*base), index, *ast.operands[k]);
        }
        return base;
    }
    return base_target(ast);
}

/// Finds the output for "x.ready" or "x[k].ready", where x is a bundle that the process reads.
StepBinder::Outputs::const_iterator StepBinder::reverse_field(const Ast& ast) const {
    if (ast.kind != Ast::Kind::field)
        return outputs_.end();
    const Ast& base = ast.operands[0]->kind == Ast::Kind::index ? *ast.operands[0]->operands[0]
                                                                : *ast.operands[0];
    return base.kind == Ast::Kind::name ? outputs_.find(base.text + "." + ast.text)
                                        : outputs_.end();
}

std::optional<BoundTarget> StepBinder::reverse_target(const PortText& port, const Ast& ast) {
    const Ast& bundle = *ast.operands[0];
    const Ast& named = bundle.kind == Ast::Kind::index ? *bundle.operands[0] : bundle;
    std::vector<BoundExpr> indices;
    for (std::size_t k = 1; bundle.kind == Ast::Kind::index && k < bundle.operands.size(); ++k) {
        indices.push_back(e_.bound(*bundle.operands[k]));
        if (!indices.back().ok())
            return std::nullopt;
    }
    std::optional<BoundTarget> found = output_target(port, indices, bundle);
    if (found)
        found->tree = part(BoundExpr::Kind::field, ast,
                           {element(bundle, part(BoundExpr::Kind::leaf, named, {}), indices)});
    return found;
}

/// A state or an output, whole or with indices.
std::optional<BoundTarget> StepBinder::base_target(const Ast& ast) {
    const Ast& named = ast.kind == Ast::Kind::index ? *ast.operands[0] : ast;
    if (named.kind != Ast::Kind::name) {
        e_.fail(Code::bad_target, ast.where,
                "a target is a state or an output, with .field or [index] after it");
        return std::nullopt;
    }
    std::vector<BoundExpr> indices;
    for (std::size_t k = 1; k < ast.operands.size(); ++k) {
        indices.push_back(e_.bound_value(*ast.operands[k]));
        if (!indices.back().ok())
            return std::nullopt;
    }
    std::optional<BoundTarget> found;
    if (const auto output = outputs_.find(named.text); output != outputs_.end())
        found = output_target(*output->second, indices, ast);
    else if (const auto state = states_.find(named.text); state == states_.end())
        return refuse(named);
    else if (state->second->is_memory)
        found = memory_target(*state->second, indices, ast);
    else {
        found = whole(*state->second);
        found->state = state->second;
    }
    const std::size_t used = found ? found->indices.size() : 0;
    for (std::size_t k = used; found && k < indices.size(); ++k)
        found = element_target(std::move(*found), indices[k], *ast.operands[k + 1]);
    if (found)
        found->tree = element(ast, part(BoundExpr::Kind::leaf, named, {}), indices);
    return found;
}

/// Reports a name that is neither a state nor an output.
std::nullopt_t StepBinder::refuse(const Ast& named) {
    std::vector<std::string> names;
    if (e_.diagnostics().suppressed() == 0) { // else the diagnostics are not shown
        for (const auto& [name, port] : outputs_)
            names.emplace_back(name);
        for (const auto& [name, known] : states_)
            names.emplace_back(name);
    }
    const bool input = std::any_of(text_.inputs.begin(), text_.inputs.end(),
                                   [&](const PortText& port) { return port.name == named.text; });
    const bool let = std::any_of(text_.lets.begin(), text_.lets.end(),
                                 [&](const LetText& text) { return text.name == named.text; });
    if (const std::string why = e_.scope().why_no_value(named.text, "out");
        !why.empty() && !input && !let) {
        e_.fail(Code::bad_target, named.where, why);
        return std::nullopt;
    }
    e_.fail(Code::bad_target, named.where,
            fmt::format("'{}' is {}, but a step assigns states and outputs{}", named.text,
                        input ? "an input"
                        : let ? "a let"
                              : "no state or output of this process",
                        input || let ? std::string{} : did_you_mean(named.text, names)));
    return std::nullopt;
}

std::optional<BoundTarget> StepBinder::output_target(const PortText& port,
                                                     const std::vector<BoundExpr>& indices,
                                                     const Ast& ast) {
    BoundTarget result = whole(port);
    result.port = &port;
    if (port.shape.is_single())
        return result;
    if (indices.size() < port.shape.dimensions.size()) {
        e_.fail(Code::bad_target, ast.where,
                fmt::format("'{}' is an array of ports; write the index of one", port.name));
        return std::nullopt;
    }
    std::uint64_t scalars = port.type->leaf_count(); // a computed index may select any port
    for (std::size_t d = 0; d < port.shape.dimensions.size(); ++d) {
        const auto& dimension = port.shape.dimensions[d];
        const auto found = select(BoundSelect::Kind::element, indices[d], dimension.low,
                                  dimension.count, ast.operands[d + 1]->where);
        if (!found)
            return std::nullopt;
        scalars *= found->constant() ? 1 : dimension.count;
        result.indices.push_back(*found);
    }
    if (scalars > Elaborator::max_leaves) {
        e_.fail(Code::too_large, ast.where,
                fmt::format("this may write {} scalars, but one line writes at most {}", scalars,
                            Elaborator::max_leaves));
        return std::nullopt;
    }
    return result;
}

std::optional<BoundTarget> StepBinder::memory_target(const StateText& state,
                                                     const std::vector<BoundExpr>& indices,
                                                     const Ast& ast) {
    BoundTarget result = whole(state);
    result.state = &state;
    const std::size_t given = std::min(indices.size(), state.dimensions.size());
    for (std::size_t d = 0; d < given; ++d) {
        const auto found = select(BoundSelect::Kind::element, indices[d], 0, state.dimensions[d],
                                  ast.operands[d + 1]->where);
        if (!found)
            return std::nullopt;
        result.indices.push_back(*found);
    }
    // fewer indices than dimensions: all words of a row; no index: the whole array
    for (std::size_t d = state.dimensions.size(); d-- > given;)
        result.type = Type::array(result.type, state.dimensions[d]);
    if (const auto scalars = result.type->leaf_count(), most = Elaborator::max_leaves;
        scalars > most) {
        e_.fail(
            Code::too_large, ast.where,
            given > 0
                ? fmt::format("this row has {} scalars; at most {} can be assigned together",
                              scalars, most)
                : fmt::format("'{}' has {} scalars; a whole array of at most {} can be assigned",
                              state.name, scalars, most));
        return std::nullopt;
    }
    return result;
}

std::optional<BoundTarget> StepBinder::field_target(BoundTarget base, const Ast& ast) {
    const int field =
        base.type->kind() == TypeKind::structure ? base.type->find_field(ast.text) : -1;
    if (field < 0) {
        e_.fail(Code::unknown_field, ast.where,
                base.type->kind() == TypeKind::structure
                    ? e_.no_field(*base.type, ast.text)
                    : fmt::format("'{}' is {}, which has no fields", base.name, base.type->name()));
        return std::nullopt;
    }
    BoundSelect& select = base.selects.emplace_back();
    select.kind = BoundSelect::Kind::field;
    select.field = static_cast<std::size_t>(field);
    base.type = base.type->fields()[select.field].type;
    base.name += "." + ast.text;
    base.tree = part(BoundExpr::Kind::field, ast, {std::move(base.tree)});
    return base;
}

/// An element of an array, or one bit of an integer, at a position that may be computed during the
/// run.
std::optional<BoundTarget> StepBinder::element_target(BoundTarget base, const BoundExpr& index,
                                                      const Ast& ast) {
    const bool is_bit = base.type->is_integer() && !base.sliced;
    if (!is_bit && base.type->kind() != TypeKind::array) {
        e_.fail(Code::bad_target, ast.where,
                fmt::format("'{}' is {}, which has no elements", base.name, base.type->name()));
        return std::nullopt;
    }
    const auto found = select(is_bit ? BoundSelect::Kind::bit : BoundSelect::Kind::element, index,
                              0, is_bit ? base.type->width_bits() : base.type->count(), ast.where);
    if (!found)
        return std::nullopt;
    base.selects.push_back(*found);
    base.type = is_bit ? Type::boolean() : base.type->element();
    base.name += is_bit && found->constant() ? fmt::format("[{}]", *found->constant())
                                             : std::string{"[...]"};
    if (is_bit)
        base.declared = {};
    base.sliced = is_bit;
    base.tree = element(ast, std::move(base.tree), {index});
    return base;
}

std::optional<BoundTarget> StepBinder::slice_target(const Ast& ast) {
    std::optional<BoundTarget> base = target(*ast.operands[0]);
    const std::optional<Integer> high = e_.constant(*ast.operands[1], "the high end of a slice");
    const std::optional<Integer> low = e_.constant(*ast.operands[2], "the low end of a slice");
    if (!base || !high || !low)
        return std::nullopt;
    if (!base->type->is_integer() || base->sliced) {
        e_.fail(Code::bad_target, ast.where,
                base->sliced ? std::string{"this is a slice already; write one slice of the whole"}
                             : fmt::format("'{}' is {}; only integers have slices", base->name,
                                           base->type->name()));
        return std::nullopt;
    }
    const auto width = static_cast<Integer>(base->type->width_bits());
    if (*low < 0 || *high < *low || *high >= width) {
        e_.fail(Code::bad_index, ast.where,
                fmt::format("[{}:{}] is no slice of {}: write the higher bit first, at most {}",
                            to_string(*high), to_string(*low), base->type->name(),
                            to_string(width - 1)));
        return std::nullopt;
    }
    BoundSelect& select = base->selects.emplace_back();
    select.kind = BoundSelect::Kind::slice;
    select.high = static_cast<unsigned>(*high);
    select.low = static_cast<unsigned>(*low);
    base->type = Type::unsigned_integer(select.high - select.low + 1);
    base->name += fmt::format("[{}:{}]", select.high, select.low);
    base->declared = {};
    base->sliced = true;
    base->tree = part(BoundExpr::Kind::slice, ast,
                      {std::move(base->tree), e_.operand(BoundExpr::number(*high)),
                       e_.operand(BoundExpr::number(*low))});
    return base;
}

} // namespace sme::expr
