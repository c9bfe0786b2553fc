// SPDX-License-Identifier: Apache-2.0
//
// The left side of an assignment: the scalars of slots or memory words that it changes.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/assignments.hpp"

namespace sme::expr {

Assignments::Target Assignments::slot_target(std::uint32_t port, const TypeRef& type,
                                             const std::string& name,
                                             const Location& declared) const {
    Target result{type, name, declared, {}, false};
    for (std::uint32_t leaf = 0; leaf < type->leaf_count(); ++leaf)
        result.leaves.push_back({{{false, port, no_node, leaf}, b_.boolean(true), {}}});
    return result;
}

BoundRef Assignments::part(BoundExpr::Kind kind, const Ast& ast,
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
BoundRef Assignments::element(const Ast& ast, BoundRef base,
                              const std::vector<BoundExpr>& indices) const {
    if (indices.empty())
        return base;
    std::vector<BoundRef> operands = e_.operands_of_all(indices);
    operands.insert(operands.begin(), std::move(base));
    return part(BoundExpr::Kind::element, ast, std::move(operands));
}

std::optional<Assignments::Target> Assignments::target(const Ast& ast) {
    if (ast.kind == Ast::Kind::slice)
        return slice_target(ast);
    if (const auto back = reverse_field(ast); back != outputs_.end())
        return reverse_target(*back->second, ast);
    if (ast.kind == Ast::Kind::field) {
        std::optional<Target> base = target(*ast.operands[0]);
        return base ? field_target(std::move(*base), ast) : std::nullopt;
    }
    if (ast.kind == Ast::Kind::index && ast.operands[0]->kind != Ast::Kind::name) {
        std::optional<Target> base = target(*ast.operands[0]);
        for (std::size_t k = 1; base && k < ast.operands.size(); ++k) {
            const BoundExpr index =
                e_.loaded(e_.evaluate(*ast.operands[k]), ast.operands[k]->where);
            if (!index.ok())
                return std::nullopt;
            base = element_target(std::move(*base), index, *ast.operands[k]);
        }
        return base;
    }
    return base_target(ast);
}

/// Finds the output for "x.ready" or "x[k].ready", where x is a bundle that the process reads.
std::map<std::string_view, const PortText*>::const_iterator
Assignments::reverse_field(const Ast& ast) const {
    if (ast.kind != Ast::Kind::field)
        return outputs_.end();
    const Ast& base = ast.operands[0]->kind == Ast::Kind::index ? *ast.operands[0]->operands[0]
                                                                : *ast.operands[0];
    return base.kind == Ast::Kind::name ? outputs_.find(base.text + "." + ast.text)
                                        : outputs_.end();
}

std::optional<Assignments::Target> Assignments::reverse_target(const PortText& port,
                                                               const Ast& ast) {
    const Ast& bundle = *ast.operands[0];
    const Ast& named = bundle.kind == Ast::Kind::index ? *bundle.operands[0] : bundle;
    std::vector<BoundExpr> indices;
    for (std::size_t k = 1; bundle.kind == Ast::Kind::index && k < bundle.operands.size(); ++k) {
        indices.push_back(e_.evaluate(*bundle.operands[k]));
        if (!indices.back().ok())
            return std::nullopt;
    }
    std::optional<Target> found = output_target(port, indices, bundle);
    if (found)
        found->tree = part(BoundExpr::Kind::field, ast,
                           {element(bundle, part(BoundExpr::Kind::leaf, named, {}), indices)});
    return found;
}

/// A state or an output, whole or with indices.
std::optional<Assignments::Target> Assignments::base_target(const Ast& ast) {
    const Ast& named = ast.kind == Ast::Kind::index ? *ast.operands[0] : ast;
    if (named.kind != Ast::Kind::name) {
        e_.fail(Code::bad_target, ast.where,
                "a target is a state or an output, with .field or [index] after it");
        return std::nullopt;
    }
    std::vector<BoundExpr> indices;
    for (std::size_t k = 1; k < ast.operands.size(); ++k) {
        indices.push_back(e_.loaded(e_.evaluate(*ast.operands[k]), ast.operands[k]->where));
        if (!indices.back().ok())
            return std::nullopt;
    }
    std::optional<Target> found;
    std::size_t used = 0;
    const auto output = outputs_.find(named.text);
    const auto state = states_.find(named.text);
    if (output != outputs_.end()) {
        found = output_target(*output->second, indices, ast);
        used = output->second->shape.dimensions.size();
    } else if (state != states_.end() && state->second->is_memory) {
        found = memory_target(*state->second, indices, ast);
        used = std::min(indices.size(), state->second->dimensions.size());
    } else if (state != states_.end())
        found = slot_target(state->second->write_port, state->second->type, state->second->name,
                            state->second->declared);
    if (found) {
        for (std::size_t k = used; found && k < indices.size(); ++k)
            found = element_target(std::move(*found), indices[k], *ast.operands[k + 1]);
        if (found)
            found->tree = element(ast, part(BoundExpr::Kind::leaf, named, {}), indices);
        return found;
    }
    if (output != outputs_.end() || state != states_.end())
        return std::nullopt; // reported above
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

std::optional<Assignments::Target> Assignments::output_target(const PortText& port,
                                                              const std::vector<BoundExpr>& indices,
                                                              const Ast& ast) {
    if (port.shape.is_single())
        return slot_target(port.write_port, port.type, port.name, port.declared);
    if (indices.size() < port.shape.dimensions.size()) {
        e_.fail(Code::bad_target, ast.where,
                fmt::format("'{}' is an array of ports; write the index of one", port.name));
        return std::nullopt;
    }
    // a computed index may select any of them
    std::vector<std::pair<std::uint64_t, NodeId>> elements{{0, b_.boolean(true)}};
    for (std::size_t d = 0; d < port.shape.dimensions.size(); ++d) {
        const Location& where = ast.operands[d + 1]->where;
        const auto at = e_.index(indices[d], port.shape.dimensions[d].low,
                                 port.shape.dimensions[d].count, where);
        if (!at)
            return std::nullopt;
        const NodeId checked =
            b_.checked(at->node, at->outside, index_fault(port.shape.dimensions[d].count, where));
        std::vector<std::pair<std::uint64_t, NodeId>> next;
        for (const auto& [flat, guard] : elements)
            for (std::uint64_t k = at->constant.value_or(0);
                 k < (at->constant ? *at->constant + 1 : port.shape.dimensions[d].count); ++k)
                next.emplace_back(flat * port.shape.dimensions[d].count + k,
                                  b_.all_of(guard, b_.operation(Op::equal, {1, false}, checked,
                                                                b_.constant({64, false}, k))));
        elements = std::move(next);
    }
    if (elements.size() * port.type->leaf_count() > Elaborator::max_leaves) {
        e_.fail(Code::too_large, ast.where,
                fmt::format("this may write {} scalars, but one line writes at most {}",
                            elements.size() * port.type->leaf_count(), Elaborator::max_leaves));
        return std::nullopt;
    }
    Target result{port.type, port.name, port.declared, {}, false};
    for (std::uint32_t leaf = 0; leaf < port.type->leaf_count(); ++leaf) {
        std::vector<Place> places;
        for (const auto& [flat, guard] : elements)
            places.push_back(
                {{false, port.write_port + static_cast<std::uint32_t>(flat), no_node, leaf},
                 guard});
        result.leaves.push_back(std::move(places));
    }
    return result;
}

std::optional<Assignments::Target> Assignments::memory_target(const StateText& state,
                                                              const std::vector<BoundExpr>& indices,
                                                              const Ast& ast) {
    const Scalar word{64, false};
    NodeId flat = b_.constant(word, 0);
    const std::size_t given = std::min(indices.size(), state.dimensions.size());
    for (std::size_t d = 0; d < given; ++d) {
        const Location& where = ast.operands[d + 1]->where;
        const auto at = e_.index(indices[d], 0, state.dimensions[d], where);
        if (!at)
            return std::nullopt;
        // lines with the same index write one word, each its own fields or bits
        NodeId& checked = checked_.try_emplace({at->node, at->outside}, no_node).first->second;
        if (checked == no_node)
            checked = b_.checked(at->node, at->outside, index_fault(state.dimensions[d], where));
        flat = b_.operation(
            Op::add, word,
            b_.operation(Op::multiply, word, flat, b_.constant(word, state.dimensions[d])),
            checked);
    }
    // fewer indices than dimensions: all words of a row; no index: the whole array
    Target result{state.type, state.name, state.declared, {}, false};
    std::uint64_t row = 1;
    for (std::size_t d = state.dimensions.size(); d-- > given;) {
        result.type = Type::array(result.type, state.dimensions[d]);
        row *= state.dimensions[d];
    }
    if (result.type->leaf_count() > Elaborator::max_leaves) {
        const auto scalars = result.type->leaf_count(), most = Elaborator::max_leaves;
        e_.fail(
            Code::too_large, ast.where,
            given > 0
                ? fmt::format("this row has {} scalars; at most {} can be assigned together",
                              scalars, most)
                : fmt::format("'{}' has {} scalars; a whole array of at most {} can be assigned",
                              state.name, scalars, most));
        return std::nullopt;
    }
    flat = b_.operation(Op::multiply, word, flat, b_.constant(word, row));
    for (std::uint64_t k = 0; k < row; ++k) {
        const NodeId at = b_.operation(Op::add, word, flat, b_.constant(word, k));
        for (std::uint32_t leaf = 0; leaf < state.type->leaf_count(); ++leaf)
            result.leaves.push_back({{{true, state.memory, at, leaf}, b_.boolean(true), {}}});
    }
    return result;
}

std::optional<Assignments::Target> Assignments::field_target(Target base, const Ast& ast) {
    const int field =
        base.type->kind() == TypeKind::structure ? base.type->find_field(ast.text) : -1;
    if (field < 0) {
        e_.fail(Code::unknown_field, ast.where,
                base.type->kind() == TypeKind::structure
                    ? e_.no_field(*base.type, ast.text)
                    : fmt::format("'{}' is {}, which has no fields", base.name, base.type->name()));
        return std::nullopt;
    }
    std::size_t first = 0;
    for (int k = 0; k < field; ++k)
        first += base.type->fields()[static_cast<std::size_t>(k)].type->leaf_count();
    const TypeRef type = base.type->fields()[static_cast<std::size_t>(field)].type;
    const auto begin = base.leaves.begin() + static_cast<std::ptrdiff_t>(first);
    return Target{type,          base.name + "." + ast.text,
                  base.declared, {begin, begin + static_cast<std::ptrdiff_t>(type->leaf_count())},
                  false,         part(BoundExpr::Kind::field, ast, {base.tree})};
}

std::optional<Assignments::Target> Assignments::element_target(Target base, const BoundExpr& index,
                                                               const Ast& ast) {
    if (base.type->is_integer() && !base.sliced)
        return bit_target(std::move(base), index, ast);
    if (base.type->kind() != TypeKind::array) {
        e_.fail(Code::bad_target, ast.where,
                fmt::format("'{}' is {}, which has no elements", base.name, base.type->name()));
        return std::nullopt;
    }
    const auto at = e_.index(index, 0, base.type->count(), ast.where);
    if (!at)
        return std::nullopt;
    const TypeRef type = base.type->element();
    const auto each = static_cast<std::size_t>(type->leaf_count());
    const NodeId checked =
        b_.checked(at->node, at->outside, index_fault(base.type->count(), ast.where));
    Target result{
        type, base.name + "[...]", base.declared, {}, false, element(ast, base.tree, {index})};
    result.leaves.resize(each);
    for (std::uint64_t k = at->constant.value_or(0);
         k < (at->constant ? *at->constant + 1 : base.type->count()); ++k) {
        const NodeId here =
            b_.operation(Op::equal, {1, false}, checked, b_.constant({64, false}, k));
        for (std::size_t leaf = 0; leaf < each; ++leaf)
            for (Place place : base.leaves[k * each + leaf]) {
                place.guard = b_.all_of(place.guard, here);
                result.leaves[leaf].push_back(place);
            }
    }
    return result;
}

} // namespace sme::expr
