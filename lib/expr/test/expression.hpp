// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::test {

/// Returns a text as YAML delivers it, without folding.
inline expr::Text text_of(const std::string& text) {
    expr::Text result{std::make_shared<Source>("test", text), text, {}};
    for (std::uint32_t k = 0; k <= text.size(); ++k)
        result.offsets.push_back(k);
    return result;
}

/// Returns "slug: message" of the first diagnostic; empty if there is no diagnostic.
inline std::string first_of(const Diagnostics& diagnostics) {
    if (diagnostics.all().empty())
        return "";
    const Diagnostic& found = diagnostics.all()[0];
    return fmt::format("{}: {}", info(found.code).slug, found.message);
}

/// A scope with a few names: `n` is the number 5, `t` the constant u8[4] 10, 11, 12, 13, P a
/// struct, `grid` the constant i4[2, 3] -1, -2, -3, 4, 5, 6, `pairs` P[2] 1 -1 1, 2 -2 0, `run` the
/// second member of the enumeration Phase.
class SmallScope final : public expr::Scope {
public:
    SmallScope() {
        types_["P"] = Type::structure("P", {{"a", Type::unsigned_integer(8), 0},
                                            {"b", Type::signed_integer(4), 0},
                                            {"c", Type::boolean(), 0}});
        types_["Word"] = Type::unsigned_integer(16);
        types_["Two"] = Type::array(Type::unsigned_integer(8), 2);
        values_["n"] = expr::BoundExpr::number(5);
        types_["Phase"] = Type::enumeration("Phase", 3, {{"idle", 0}, {"run", 5}});
        constant("t", Type::array(Type::unsigned_integer(8), 4), {10, 11, 12, 13});
        const auto minus = [](int n) { return static_cast<std::uint64_t>(-n); };
        constant("grid", Type::array(Type::array(Type::signed_integer(4), 3), 2),
                 {minus(1), minus(2), minus(3), 4, 5, 6});
        constant("pairs", Type::array(types_["P"], 2), {1, minus(1), 1, 2, minus(2), 0});
        constant("run", types_["Phase"], {5});
    }
    const expr::BoundExpr* find(const std::string& name) override {
        const auto found = values_.find(name);
        return found == values_.end() ? nullptr : &found->second;
    }
    TypeRef find_type(const std::string& name) override {
        const auto found = types_.find(name);
        return found == types_.end() ? nullptr : found->second;
    }
    void names(std::vector<std::string>& into) const override {
        for (const auto& [name, value] : values_)
            into.push_back(name);
    }

private:
    void constant(const std::string& name, TypeRef type, std::vector<std::uint64_t> leaves) {
        auto result = std::make_shared<expr::ConstantArray>();
        result->type = std::move(type);
        result->leaves = std::move(leaves);
        values_[name].form = expr::Form::constants;
        values_[name].what = std::move(result);
    }

    std::map<std::string, expr::BoundExpr> values_;
    std::map<std::string, TypeRef> types_;
};

/// Returns the value of a constant expression: "42" without a type, "u8 42", "bool 1", "P 1 -2 0"
/// by fields, "u8[2] 7 9"; or "not constant"; or its first error.
inline std::string value_of(const std::string& text) {
    Diagnostics diagnostics;
    const expr::AstRef ast = expr::parse_expression(text_of(text), diagnostics);
    if (!ast)
        return first_of(diagnostics);
    SmallScope scope;
    expr::Builder builder;
    expr::Elaborator elaborator{builder, scope, diagnostics};
    const expr::BoundExpr value = elaborator.loaded(elaborator.evaluate(*ast), ast->where);
    if (!value.ok() || diagnostics.has_errors())
        return first_of(diagnostics);
    if (value.is_constant())
        return to_string(value.low);
    if (value.form != expr::Form::typed)
        return "not constant";
    std::string result = value.type->name();
    const std::vector<Leaf> leaves = value.type->leaves();
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        const auto known = builder.constant_value(value.leaves[k]);
        if (!known)
            return "not constant";
        result += leaves[k].type->is_signed()
                      ? fmt::format(" {}", static_cast<std::int64_t>(*known))
                      : fmt::format(" {}", *known);
    }
    return result;
}

} // namespace sme::test
