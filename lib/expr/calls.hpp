// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "expr/elaborator.hpp"

namespace sme::expr {

/// Whether a builtin function looks at earlier cycles.
bool is_history(std::string_view name);

/// Calls: builtin functions, reducers over ranges, casts and struct construction.
class Calls {
public:
    explicit Calls(Elaborator& elaborator) : e_{elaborator} {}

    Value call(const Ast& ast);
    /// A map of fields; without a type of its place, of the types of its fields.
    Value fields(const Ast& ast, const TypeRef& wanted);

private:
    struct RangeOf {
        std::string index;
        std::uint64_t count;
    };

    Value function(const Ast& ast, const std::string& name);
    Value cast(const Ast& ast, const TypeRef& type);
    Value member_of(const Value& value, const TypeRef& type, const Ast& ast);
    Value construct(const Ast& ast, const TypeRef& type);
    Value constructed(const Ast* changed, std::span<const AstRef> named, const TypeRef& type,
                      const Location& where);
    Bits packed(const Value& value);
    Value unpacked(const Bits& bits, const TypeRef& type);

    Value joined(const Ast& ast);
    Value extreme(const Ast& ast, bool largest);
    Value absolute(const Ast& ast);
    Value rotated(const Ast& ast, bool left);
    Value random(const Ast& ast);
    Value historic(const Ast& ast, const std::string& name);
    Value past(const Value& value, std::uint64_t cycles, const Ast& ast);
    Value same(const Value& a, const Value& b);
    std::optional<std::uint64_t> cycles_back(const Ast& ast);
    Value bits_of(const Ast& ast, Op op);

    bool is_range(const Ast& ast) const;
    Value reduced(const Ast& ast, const std::string& name);
    Value folded(const Ast& ast);
    template <class Visit> bool for_each(const Ast& ast, std::size_t ranges, Visit visit);
    bool ranges_of(const Ast& ast, std::size_t count, std::vector<RangeOf>& ranges);
    Value combine(const std::string& name, const Value& a, const Value& b, const Ast& ast);
    Value concatenated(const std::vector<Value>& parts, const Ast& ast);

    bool arguments(const Ast& ast, std::size_t count, const char* form);
    Value typed_integer(const Ast& ast, const char* function);

    Elaborator& e_;
};

} // namespace sme::expr
