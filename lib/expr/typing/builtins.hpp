// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "expr/typing/scope.hpp"

namespace sme::expr {

struct Ast;
class Calls;

/// A built-in function of the language.
struct Builtin {
    /// Where the function may be called.
    enum class Place : std::uint8_t { anywhere, processes, checks };
    static constexpr std::size_t any_number = ~std::size_t{0};
    /// Computes the value of a call whose form and argument count have been checked.
    using Lower = BoundExpr (*)(Calls& calls, const Ast& ast);

    std::string_view name;
    std::string_view form; // form of a call, for messages
    std::size_t least = 0; // arguments of a call without ranges
    std::size_t most = 0;
    Lower lower = nullptr;  // for a call without ranges, or null
    Lower reduce = nullptr; // for a call whose first argument is a range, or null
    Place place = Place::anywhere;
};

std::span<const Builtin> builtins();
/// Returns the function with this name, or null.
const Builtin* find_builtin(std::string_view name);

} // namespace sme::expr
