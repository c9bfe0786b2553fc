// SPDX-License-Identifier: Apache-2.0
#include "expr/binary_rules.hpp"

#include <algorithm>
#include <array>

namespace sme::expr {

namespace {

constexpr std::array rules{
    BinaryRule{"implies", Operator::implies, 1},
    BinaryRule{"or", Operator::logical_or, 2},
    BinaryRule{"and", Operator::logical_and, 3},
    BinaryRule{"==", Operator::equal, 4},
    BinaryRule{"!=", Operator::not_equal, 4},
    BinaryRule{"<", Operator::less, 4},
    BinaryRule{"<=", Operator::less_equal, 4},
    BinaryRule{">", Operator::greater, 4},
    BinaryRule{">=", Operator::greater_equal, 4},
    BinaryRule{"|", Operator::bit_or, 5},
    BinaryRule{"^", Operator::bit_xor, 6},
    BinaryRule{"&", Operator::bit_and, 7},
    BinaryRule{"<<", Operator::shift_left, 8},
    BinaryRule{">>", Operator::shift_right, 8},
    BinaryRule{"+", Operator::add, 9},
    BinaryRule{"-", Operator::subtract, 9},
    BinaryRule{"*", Operator::multiply, 10},
    BinaryRule{"/", Operator::divide, 10},
    BinaryRule{"%", Operator::remainder, 10},
};

template <class Holds> const BinaryRule* rule_with(Holds holds) {
    const auto found = std::find_if(rules.begin(), rules.end(), holds);
    return found == rules.end() ? nullptr : &*found;
}

} // namespace

const BinaryRule* rule_of(std::string_view symbol) {
    return rule_with([&](const BinaryRule& rule) { return rule.symbol == symbol; });
}

const BinaryRule* rule_of(Operator op) {
    return rule_with([&](const BinaryRule& rule) { return rule.op == op; });
}

const char* spelling(Operator op) {
    switch (op) {
    case Operator::negate:
    case Operator::subtract: return "-";
    case Operator::complement: return "~";
    case Operator::logical_not: return "not";
    default: return rule_of(op)->symbol.data();
    }
}

} // namespace sme::expr
