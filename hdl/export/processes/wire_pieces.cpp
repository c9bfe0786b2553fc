// SPDX-License-Identifier: Apache-2.0
#include "export/processes/wire_pieces.hpp"

#include <algorithm>

namespace sme::hdl {

using expr::Ast;
using expr::Rhs;
using expr::Statement;

bool WirePieces::is_assigned(const Term& target) const {
    if (target.place)
        return target.place->name == wire_.name;
    return std::any_of(target.parts.begin(), target.parts.end(),
                       [&](const Term& part) { return is_assigned(part); });
}

/// Tests whether a line in a conditional block assigns the wire.
bool WirePieces::is_inside(const expr::Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(),
                       [&](const Statement& statement) {
                           bool found = false;
                           if (statement.kind == Statement::Kind::assign && statement.target) {
                               site_.for_each(site_.ranges(*statement.target), [&] {
                                   found = found || is_assigned(site_.target(*statement.target));
                               });
                           }
                           for (const Statement::Arm& arm : statement.arms)
                               found = found || is_inside(arm.block);
                           return found;
                       });
}

std::optional<rtl::Items> WirePieces::write(const expr::Block& step) {
    bool fine = true;
    for (const Statement& statement : step.statements) {
        for (const Statement::Arm& arm : statement.arms)
            if (is_inside(arm.block))
                return std::nullopt;
        if (statement.kind != Statement::Kind::assign || !statement.target)
            continue;
        site_.for_each(site_.ranges(*statement.target), [&] {
            const Term target = site_.target(*statement.target);
            fine = fine && (!is_assigned(target) || add(statement.rhs, target));
        });
        if (!fine)
            return std::nullopt;
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
    rtl::Items made;
    for (const Piece& piece : all)
        made.emplace_back(rtl::Assign{
            Place::all_of(wire_.name, wire_.bits()).part(piece.low, piece.width), piece.value});
    return made;
}

/// Returns the value of a right-hand side, which is zero if no entry is selected.
std::optional<Term> WirePieces::value_of(const Rhs& rhs, const Term& target) {
    const TypeRef type = target.type->is_bundle() ? target.type->forward() : target.type;
    const Term zero = Term::of(type, rtl::zero(type->width_bits()));
    std::vector<std::pair<const Ast*, const Rhs*>> entries;
    if (rhs.kind == Rhs::Kind::expression)
        entries.emplace_back(rhs.when.get(), &rhs);
    else if (rhs.kind == Rhs::Kind::first || rhs.kind == Rhs::Kind::choice) {
        for (const Rhs& entry : rhs.list)
            entries.emplace_back(entry.when.get(), &entry);
        for (const Rhs::Arm& arm : rhs.arms)
            entries.emplace_back(arm.condition.get(), &arm.rhs);
    } else
        return std::nullopt;
    Term result = zero;
    for (std::size_t k = entries.size(); k-- > 0;) {
        const auto& [condition, entry] = entries[k];
        const std::optional<bool> known =
            condition ? translator_.known_condition(*condition) : std::optional{true};
        if (known == false)
            continue;
        if (entry->kind != Rhs::Kind::expression || !entry->value)
            return std::nullopt;
        Term value = translator_.value_as(*entry->value, type);
        if (entry->when && entry->when.get() != condition)
            value = translator_.select(translator_.value(*entry->when), value, zero);
        result = known ? value
                       : translator_.select(translator_.value(*condition), value, result,
                                            entries.size() > 2);
    }
    return result;
}

bool WirePieces::add(const Rhs& rhs, const Term& target) {
    if (rhs.kind == Rhs::Kind::fields) {
        bool fine = true;
        for (const auto& [name, where, field] : rhs.fields) {
            const Term part = translator_.field(target, name);
            fine = fine && (!is_assigned(part) || add(field, part));
        }
        return fine;
    }
    if (target.place && target.place->moved)
        return false;
    const std::optional<Term> value = value_of(rhs, target);
    return value && add_value(target, *value);
}

bool WirePieces::add_value(const Term& target, const Term& value) {
    if (target.place) {
        if (target.place->moved)
            return false;
        pieces_.push_back({target.place->low, target.place->width, Translator::code(value)});
        return true;
    }
    Term source = value;
    if (source.parts.empty())
        source = translator_.placed(source, "record");
    for (std::size_t k = 0; k < target.parts.size(); ++k)
        if (is_assigned(target.parts[k]) &&
            !add_value(target.parts[k], translator_.field(source, target.type->fields()[k].name)))
            return false;
    return true;
}

} // namespace sme::hdl
