// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/binding.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

const BusFamily* add_constant_bus(const ValueSyntax& value, const std::string& port,
                                  std::string name, const TypeRef& type, Shape shape,
                                  const Shape& members, std::uint64_t each, Context& context) {
    const auto values =
        context.initials.slots(*value.ast, type, members, fmt::format("port '{}'", port));
    if (!values)
        return nullptr;
    BusFamily bus;
    bus.name = std::move(name);
    bus.type = type;
    bus.shape = std::move(shape);
    bus.unwritten = Unwritten::hold;
    bus.input = true;
    bus.has_initial = true;
    bus.declared = value.where;
    const std::size_t size = type->size();
    if (values->size() == size)
        bus.initial = *values;
    else {
        for (std::size_t at = 0; at < values->size(); at += size) {
            const auto begin = values->begin() + static_cast<std::ptrdiff_t>(at);
            const auto copies = repeated({begin, begin + static_cast<std::ptrdiff_t>(size)}, each);
            bus.initial.insert(bus.initial.end(), copies.begin(), copies.end());
        }
        bus.initial = repeated(std::move(bus.initial), context.around.count());
    }
    return &context.design.graph.add(std::move(bus));
}

bool is_constant_value(const ValueSyntax& value, Context& context) {
    const expr::AstRef& ast = value.ast;
    if (!ast)
        return false;
    const expr::Ast& base = ast->kind == expr::Ast::Kind::index ? *ast->operands[0] : *ast;
    if (base.kind != expr::Ast::Kind::name)
        return true;
    return !context.buses.count(base.text) && !context.broken.count(base.text) &&
           context.scope.find(base.text) != nullptr;
}

using expr::Ast;
using expr::Operator;

namespace {

constexpr Integer huge = Integer{1} << 62;

/// The maximum number of lines to represent an expression.
constexpr std::size_t max_pieces = 4'000'000;

bool is_huge(Integer value) {
    return value > huge || value < -huge;
}

} // namespace

Binder::Pieces Binder::combined(const Pieces& a, const Pieces& b, int sign) {
    Pieces result;
    std::size_t i = 0, j = 0;
    std::uint64_t used_a = 0, used_b = 0;
    while (i < a.size() && j < b.size()) {
        const std::uint64_t count = std::min(a[i].count - used_a, b[j].count - used_b);
        result.push_back({count,
                          a[i].offset + static_cast<Integer>(used_a) * a[i].stride +
                              sign * (b[j].offset + static_cast<Integer>(used_b) * b[j].stride),
                          a[i].stride + sign * b[j].stride});
        used_a += count;
        used_b += count;
        if (used_a == a[i].count) {
            ++i;
            used_a = 0;
        }
        if (used_b == b[j].count) {
            ++j;
            used_b = 0;
        }
    }
    return result;
}

std::optional<Binder::Pieces> Binder::scaled(const Pieces& a, const Pieces& b) {
    const Pieces& factor = a.size() == 1 && a[0].stride == 0 ? a : b;
    const Pieces& line = &factor == &a ? b : a;
    if (factor.size() != 1 || factor[0].stride != 0)
        return std::nullopt;
    Pieces result = line;
    for (Piece& piece : result) {
        if (is_huge(factor[0].offset))
            return std::nullopt;
        piece.offset *= factor[0].offset;
        piece.stride *= factor[0].offset;
        if (is_huge(piece.offset) || is_huge(piece.stride))
            return std::nullopt;
    }
    return result;
}

/// Cuts a line at multiples of `by`: calls add(first value of the part, its count) until it returns
/// false. Only for nonnegative values.
template <class Add> bool Binder::cut(const Piece& piece, Integer by, Add add) {
    const Integer last = piece.offset + static_cast<Integer>(piece.count - 1) * piece.stride;
    if (piece.offset < 0 || last < 0)
        return false;
    for (std::uint64_t done = 0; done < piece.count;) {
        const Integer value = piece.offset + static_cast<Integer>(done) * piece.stride;
        const Integer rest = value % by;
        Integer count = static_cast<Integer>(piece.count - done);
        if (piece.stride > 0)
            count = std::min(count, (by - 1 - rest) / piece.stride + 1);
        else if (piece.stride < 0)
            count = std::min(count, rest / -piece.stride + 1);
        done += static_cast<std::uint64_t>(count);
        if (!add(value, static_cast<std::uint64_t>(count)))
            return false;
    }
    return true;
}

std::optional<Binder::Pieces> Binder::remainder(const Pieces& a, Integer by) {
    if (by <= 0)
        return std::nullopt;
    Pieces result;
    for (const Piece& piece : a)
        if (!cut(piece, by, [&](Integer value, std::uint64_t count) {
                result.push_back({count, value % by, piece.stride});
                return result.size() <= max_pieces;
            }))
            return std::nullopt;
    return result;
}

std::optional<Binder::Pieces> Binder::quotient(const Pieces& a, Integer by) {
    if (by <= 0)
        return std::nullopt;
    Pieces result;
    for (const Piece& piece : a) {
        const Integer last = piece.offset + static_cast<Integer>(piece.count - 1) * piece.stride;
        const bool exact = piece.offset % by == 0 && piece.stride % by == 0;
        if (exact && piece.offset >= 0 && last >= 0)
            result.push_back({piece.count, piece.offset / by, piece.stride / by});
        else if (!cut(piece, by, [&](Integer value, std::uint64_t count) {
                     result.push_back({count, value / by, 0});
                     return result.size() <= max_pieces;
                 }))
            return std::nullopt;
    }
    return result;
}

/// Returns the lines of an expression, or `nullopt` if not representable, or too many.
std::optional<Binder::Pieces> Binder::pieces(const Ast& ast, const Shape::Dimension& inner) {
    const auto constant = [&](Integer value) { return Pieces{{inner.count, value, 0}}; };
    if (ast.kind == Ast::Kind::number)
        return is_huge(ast.value) ? std::nullopt : std::optional{constant(ast.value)};
    if (ast.kind == Ast::Kind::name) {
        if (!inner.index.empty() && ast.text == inner.index)
            return Pieces{{inner.count, inner.low, 1}};
        if (const auto known = known_.find(ast.text); known != known_.end())
            return constant(known->second);
        const expr::BoundExpr* value = scope_.find(ast.text);
        if (value && value->is_constant() && !is_huge(value->low))
            return constant(value->low);
        return std::nullopt;
    }
    if (ast.kind != Ast::Kind::binary)
        return std::nullopt;
    const std::optional<Pieces> a = pieces(*ast.operands[0], inner);
    const std::optional<Pieces> b = pieces(*ast.operands[1], inner);
    if (!a || !b)
        return std::nullopt;
    const bool by_constant = b->size() == 1 && (*b)[0].stride == 0;
    std::optional<Pieces> result;
    switch (ast.op) {
    case Operator::add: result = combined(*a, *b, 1); break;
    case Operator::subtract: result = combined(*a, *b, -1); break;
    case Operator::multiply: result = scaled(*a, *b); break;
    case Operator::remainder:
        result = by_constant ? remainder(*a, (*b)[0].offset) : std::nullopt;
        break;
    case Operator::divide:
        result = by_constant ? quotient(*a, (*b)[0].offset) : std::nullopt;
        break;
    default: break;
    }
    if (result && !scope_.spend(50 * result->size(), ast.where, diagnostics_))
        return std::nullopt;
    if (result)
        for (const Piece& piece : *result)
            if (is_huge(piece.offset) || is_huge(piece.stride))
                return std::nullopt;
    return result;
}

std::optional<Binder::Pieces> Binder::one_by_one(const Ast& ast, const Shape::Dimension& inner) {
    Pieces result;
    std::optional<Constants> constants;
    for (std::uint64_t k = 0; k < inner.count; ++k) {
        if (!scope_.spend(200, ast.where, diagnostics_))
            return std::nullopt;
        if (k % 4096 == 0) {
            constants.emplace(scope_, diagnostics_);
            for (const auto& [name, value] : known_)
                constants->elaborator().bind(name, expr::BoundExpr::number(value));
        }
        if (!inner.index.empty())
            constants->elaborator().bind(
                inner.index, expr::BoundExpr::number(inner.low + static_cast<Integer>(k)));
        const std::optional<Integer> value =
            constants->elaborator().constant(ast, "the index of a binding");
        if (!value)
            return std::nullopt;
        if (is_huge(*value)) {
            diagnostics_.add(Code::index_outside, ast.where,
                             fmt::format("{} is no index", to_string(*value)));
            return std::nullopt;
        }
        result.push_back({1, *value, 0});
    }
    return result;
}

std::optional<Binder::Pieces> Binder::evaluated(const Ast& ast, const Shape::Dimension& inner) {
    std::optional<Pieces> lines = pieces(ast, inner);
    return lines ? lines : one_by_one(ast, inner);
}

bool Binder::check_range(const Pieces& values, const BusView& bus, std::size_t dimension,
                         const Ast& ast) {
    const Shape::Dimension& range = bus.shape.dimensions[dimension];
    const Integer low = range.low;
    const Integer end = low + static_cast<Integer>(range.count);
    for (const Piece& piece : values)
        for (const Integer value :
             {piece.offset, piece.offset + static_cast<Integer>(piece.count - 1) * piece.stride})
            if (value < low || value >= end) {
                diagnostics_
                    .add(Code::index_outside, ast.where,
                         fmt::format("the index becomes {}, but '{}' has {} to {}",
                                     to_string(value), bus.name, to_string(low),
                                     to_string(end - 1)))
                    .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
                return false;
            }
    return true;
}

std::optional<Segments> Binder::bind(const BusView& bus, const Ast& where,
                                     const std::vector<expr::AstRef>& indices, const Shape& shape,
                                     const std::map<std::string, Integer>& fixed) {
    if (indices.size() != bus.shape.dimensions.size()) {
        diagnostics_
            .add(Code::bad_index, where.where,
                 fmt::format("'{}' has {} ind{}, but {} {} given", bus.name,
                             bus.shape.dimensions.size(),
                             bus.shape.dimensions.size() == 1 ? "ex" : "ices", indices.size(),
                             indices.size() == 1 ? "is" : "are"))
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
        return std::nullopt;
    }
    const Shape::Dimension single{0, 1, {}};
    const bool inner_runs = !shape.dimensions.empty() && shape.kept.empty();
    const Shape::Dimension& inner = inner_runs ? shape.dimensions.back() : single;
    const std::size_t outer_dimensions = shape.dimensions.size() - (inner_runs ? 1 : 0);
    const std::uint64_t outer = shape.count() / inner.count;
    Segments result;
    for (std::uint64_t k = 0; k < outer; ++k) {
        if (!scope_.spend(500, where.where, diagnostics_))
            return std::nullopt;
        known_ = fixed;
        const std::vector<std::int64_t> at = shape.indices(k * inner.count);
        for (std::size_t d = 0; d < outer_dimensions; ++d)
            if (!shape.dimensions[d].index.empty())
                known_[shape.dimensions[d].index] = at[d];
        const std::optional<Pieces> flat = place(bus, indices, inner);
        if (!flat)
            return std::nullopt;
        for (const Piece& piece : *flat)
            result.append(piece.count, static_cast<std::int64_t>(piece.offset),
                          static_cast<std::int64_t>(piece.stride));
    }
    return result;
}

/// Returns the positions in the view over a run of the innermost index.
std::optional<Binder::Pieces> Binder::place(const BusView& bus,
                                            const std::vector<expr::AstRef>& indices,
                                            const Shape::Dimension& inner) {
    Pieces flat{{inner.count, 0, 0}};
    Integer weight = 1;
    for (std::size_t d = indices.size(); d-- > 0;) {
        const std::optional<Pieces> values = evaluated(*indices[d], inner);
        if (!values || !check_range(*values, bus, d, *indices[d]))
            return std::nullopt;
        Pieces weighted = *values;
        for (Piece& piece : weighted) {
            piece.offset = (piece.offset - bus.shape.dimensions[d].low) * weight;
            piece.stride *= weight;
        }
        flat = combined(flat, weighted, 1);
        weight *= static_cast<Integer>(bus.shape.dimensions[d].count);
    }
    return flat;
}

} // namespace sme::yaml
