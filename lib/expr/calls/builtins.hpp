// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "expr/typing/value.hpp"

namespace sme::expr {

struct Ast;
class Calls;

/// A function that the language has built in.
struct Builtin {
    /// Where it has a value.
    enum class Place : std::uint8_t { anywhere, processes, checks };
    static constexpr std::size_t any_number = ~std::size_t{0};
    /// Makes the value of a call whose form and number of arguments have been checked.
    using Lower = Value (*)(Calls& calls, const Ast& ast);

    std::string_view name;
    std::string_view form; // how a call is written, for messages
    std::size_t least = 0; // arguments of a call without ranges
    std::size_t most = 0;
    Lower lower = nullptr;  // of a call without ranges; null: there is none
    Lower reduce = nullptr; // of a call whose first argument is a range; null: there is none
    Place place = Place::anywhere;
};

std::span<const Builtin> builtins();
/// The function of that name, or null.
const Builtin* find_builtin(std::string_view name);

} // namespace sme::expr
