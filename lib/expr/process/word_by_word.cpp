// SPDX-License-Identifier: Apache-2.0
#include "expr/process/word_by_word.hpp"

#include <fmt/format.h>

namespace sme::expr {

namespace {

AstRef number(Integer value, const Location& where) {
    auto result = std::make_shared<Ast>();
    result->kind = Ast::Kind::number;
    result->where = where;
    result->value = value;
    return result;
}

std::string index(std::size_t dimension) {
    return fmt::format("word {}", dimension);
}

AstRef index_named(std::size_t dimension, const Location& where) {
    auto result = std::make_shared<Ast>();
    result->kind = Ast::Kind::name;
    result->where = where;
    result->text = index(dimension);
    return result;
}

} // namespace

const Ast& WordByWord::base_of(const Ast& target) {
    const Ast* base = &target;
    while (base->kind == Ast::Kind::index || base->kind == Ast::Kind::slice ||
           base->kind == Ast::Kind::field)
        base = base->operands[0].get();
    return *base;
}

WordByWord::WordByWord(const Statement& statement, const StateText& memory)
    : statement_{statement} {
    const Ast& target = *statement.target;
    const bool indexed = target.kind == Ast::Kind::index;
    const std::size_t given = indexed ? target.operands.size() - 1 : 0;
    const Ast& named = indexed ? *target.operands[0] : target;
    if (named.kind == Ast::Kind::name && given < memory.dimensions.size() &&
        memory.type->kind() != TypeKind::array)
        left_.assign(memory.dimensions.begin() + static_cast<std::ptrdiff_t>(given),
                     memory.dimensions.end());
}

Integer WordByWord::words() const {
    Integer words = left_.empty() ? 0 : 1;
    for (const std::uint64_t dimension : left_)
        words *= static_cast<Integer>(dimension);
    return words;
}

std::optional<Statement> WordByWord::statement(const IsArray& is_array) const {
    std::optional<Rhs> rhs = value(statement_.rhs, is_array);
    if (!rhs)
        return std::nullopt;
    const Ast& target = *statement_.target;
    auto words = std::make_shared<Ast>(target);
    if (target.kind != Ast::Kind::index) {
        words->kind = Ast::Kind::index;
        words->operands = {statement_.target};
    }
    for (std::size_t d = 0; d < left_.size(); ++d) {
        auto range = std::make_shared<Ast>();
        range->kind = Ast::Kind::range;
        range->where = target.where;
        range->text = index(d);
        range->operands = {number(static_cast<Integer>(left_[d]), target.where)};
        words->operands.push_back(range);
    }
    Statement result = statement_;
    result.target = words;
    result.rhs = std::move(*rhs);
    return result;
}

std::optional<Rhs> WordByWord::value(const Rhs& rhs, const IsArray& is_array) const {
    Rhs result = rhs;
    bool fine = rhs.kind != Rhs::Kind::fields;
    const auto take = [&](Rhs& own) {
        std::optional<Rhs> found = value(own, is_array);
        if (found)
            own = std::move(*found);
        return found.has_value();
    };
    if (rhs.kind == Rhs::Kind::expression) {
        result.value = rhs.value ? value(rhs.value, is_array) : nullptr;
        fine = result.value != nullptr;
    }
    for (Rhs& entry : result.list)
        fine = fine && take(entry);
    for (Rhs::Arm& arm : result.arms)
        fine = fine && take(arm.rhs);
    return fine ? std::optional{result} : std::nullopt;
}

AstRef WordByWord::value(const AstRef& ast, const IsArray& is_array) const {
    auto result = std::make_shared<Ast>(*ast);
    if (ast->kind == Ast::Kind::conditional) {
        for (std::size_t k = 0; k < result->operands.size(); ++k)
            if (k % 2 == 1 || k + 1 == result->operands.size())
                if (!(result->operands[k] = value(result->operands[k], is_array)))
                    return nullptr;
        return result;
    }
    if (ast->kind != Ast::Kind::name || !is_array(*ast, left_))
        return nullptr;
    result->kind = Ast::Kind::index;
    result->operands = {ast};
    for (std::size_t d = 0; d < left_.size(); ++d)
        result->operands.push_back(index_named(d, ast->where));
    return result;
}

} // namespace sme::expr
