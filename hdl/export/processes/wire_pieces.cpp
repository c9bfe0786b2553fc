// SPDX-License-Identifier: Apache-2.0
#include "export/processes/wire_pieces.hpp"

#include <algorithm>

namespace sme::hdl {

using expr::BoundRhs;
using expr::BoundStatement;
using expr::Rhs;

bool WirePieces::is_assigned(const HdlValue& target) const {
    if (target.place)
        return target.place->name == wire_.name;
    return std::any_of(target.parts.begin(), target.parts.end(),
                       [&](const HdlValue& part) { return is_assigned(part); });
}

/// Tests whether a line in a conditional block assigns the wire.
bool WirePieces::is_inside(const expr::BoundBlock& block) {
    return std::any_of(block.begin(), block.end(), [&](const BoundStatement& statement) {
        return std::any_of(statement.lines.begin(), statement.lines.end(),
                           [&](const expr::BoundLine& line) {
                               return is_assigned(context_.target(*line.target.tree));
                           }) ||
               std::any_of(statement.arms.begin(), statement.arms.end(),
                           [&](const BoundStatement::Arm& arm) { return is_inside(arm.block); });
    });
}

std::optional<rtl::Items> WirePieces::write(const expr::BoundBlock& step) {
    for (const BoundStatement& statement : step) {
        for (const BoundStatement::Arm& arm : statement.arms)
            if (is_inside(arm.block))
                return std::nullopt;
        for (const expr::BoundLine& line : statement.lines) {
            const HdlValue target = context_.target(*line.target.tree);
            if (is_assigned(target) && !add(line.rhs, target))
                return std::nullopt;
        }
    }
    std::sort(pieces_.begin(), pieces_.end(),
              [](const Piece& a, const Piece& b) { return a.low < b.low; });
    std::uint64_t at = 0;
    std::vector<Piece> all;
    for (const Piece& piece : pieces_) {
        if (piece.low < at)
            return std::nullopt; // assigned twice
        if (piece.low > at)
            all.push_back({at, piece.low - at, rtl::zero(piece.low - at)});
        all.push_back(piece);
        at = piece.low + piece.width;
    }
    if (at < wire_.bits())
        all.push_back({at, wire_.bits() - at, rtl::zero(wire_.bits() - at)});
    rtl::Items result;
    for (const Piece& piece : all)
        result.emplace_back(rtl::Assign{
            Place::all_of(wire_.name, wire_.bits()).part(piece.low, piece.width), piece.value});
    return result;
}

/// Returns the value of a right-hand side, which is zero if no entry is selected.
std::optional<HdlValue> WirePieces::value_of(const BoundRhs& rhs, const HdlValue& target) {
    const TypeRef type = target.type->is_bundle() ? target.type->forward() : target.type;
    const HdlValue zero = HdlValue::of(type, rtl::zero(type->width_bits()));
    if (rhs.when.never_holds())
        return zero;
    if (rhs.kind == Rhs::Kind::expression) {
        const HdlValue value = translator_.value_as(*rhs.value, type);
        return rhs.when.always_holds()
                   ? value
                   : translator_.select(translator_.value(*rhs.when.value), value, zero);
    }
    if (rhs.kind != Rhs::Kind::first && rhs.kind != Rhs::Kind::choice)
        return std::nullopt;
    HdlValue result = zero;
    for (std::size_t k = rhs.entries.size(); k-- > 0;) {
        const expr::BoundCondition& condition = rhs.entries[k].condition;
        const BoundRhs& entry = rhs.entries[k].rhs;
        if (condition.never_holds())
            continue;
        if (entry.kind != Rhs::Kind::expression)
            return std::nullopt;
        const std::optional<HdlValue> value = value_of(entry, target);
        result = condition.always_holds()
                     ? *value
                     : translator_.select(translator_.value(*condition.value), *value, result,
                                          rhs.entries.size() > 2);
    }
    return result;
}

bool WirePieces::add(const BoundRhs& rhs, const HdlValue& target) {
    if (rhs.kind == Rhs::Kind::fields) {
        bool fine = rhs.when.always_holds();
        for (const BoundRhs::Entry& field : rhs.entries) {
            const HdlValue part = translator_.field(target, field.field);
            fine = fine && (!is_assigned(part) || add(field.rhs, part));
        }
        return fine;
    }
    if (target.place && target.place->moved)
        return false;
    const std::optional<HdlValue> value = value_of(rhs, target);
    return value && add_value(target, *value);
}

bool WirePieces::add_value(const HdlValue& target, const HdlValue& value) {
    if (target.place) {
        if (target.place->moved)
            return false;
        pieces_.push_back({target.place->low, target.place->width, Translator::code(value)});
        return true;
    }
    HdlValue source = value;
    if (source.parts.empty())
        source = translator_.placed(source, "record");
    for (std::size_t k = 0; k < target.parts.size(); ++k)
        if (is_assigned(target.parts[k]) &&
            !add_value(target.parts[k], translator_.field(source, target.type->fields()[k].name)))
            return false;
    return true;
}

} // namespace sme::hdl
