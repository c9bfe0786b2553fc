// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "bits/integer.hpp"
#include "bits/words.hpp"
#include "expr/syntax/operator.hpp"

namespace sme::expr {

struct Ast;
using AstRef = std::shared_ptr<const Ast>;

/// An expression as written. The meaning of `operands` by kind:
struct Ast {
    enum class Kind : std::uint8_t {
        number,      // `value`, or `words` when it has more than 126 bits
        boolean,     // `value` 0 or 1
        name,        // `text`
        index,       // base, then one or more indices
        slice,       // base, high, low
        field,       // base; `text` is the field
        call,        // callee (a name, or a call that yields a type), then arguments
        named,       // argument `text` = operand, or field `text`: operand of a map
        unary,       // operand
        binary,      // two operands
        conditional, // condition, value, condition, value, …, value of else
        fields,      // {a: 1, b: 2}: operands of kind `named`
        list,        // elements of [a, b]
        file,        // file(text)
        range, // `text` < operand in the brackets of a target; a second operand is the low end
    };
    Kind kind;
    Operator op = Operator::add;
    Location where;
    std::string text;
    Integer value = 0;
    std::shared_ptr<const Words> words; // null: the number is in `value`
    int depth = 1; // depth of this tree; a chain of operators of equal strength counts once
    std::vector<AstRef> operands;
};

/// Returns the operators of a left-associative chain without parentheses, outermost first: `a + b -
/// c` has two. Trees are shallow but chains may be long, so chains are walked in a loop.
std::vector<const Ast*> chain_of(const Ast& binary);

/// A declaration: the text after the colon of "name: [wire | delay n] [hold | error] type [=
/// initial]", or of a channel "[depth n] [delay n] type".
struct Declaration {
    Location where;
    bool wire = false;
    AstRef delay; // null if absent
    bool hold = false;
    bool error = false;
    AstRef depth;         // for a channel; null if absent
    bool channel = false; // a port that is the end of a channel; `type` is the message type
    bool made = false;    // generated, not in the file
    AstRef type;          // null only if broken
    AstRef initial;       // null if absent
};

/// The property of a check: "a", or a sequence, "a then b within 3".
struct PropertyText {
    AstRef first;           // null if unreadable
    AstRef then;            // null if not a sequence
    AstRef from;            // 2 for "in 2 to 5"; null for "within"
    AstRef to;              // last cycle, counted from that of `first`
    bool one_cycle = false; // "in 2": `from` is `to`
};

/// One range of a family: "n", "k < n" or "1 <= k < n".
struct RangeText {
    Location where;
    AstRef low;        // null if 0
    std::string index; // empty if unnamed
    AstRef end;
};

/// A family name: "name" or "name[ranges]".
struct FamilyName {
    Location where;
    std::string name;
    std::vector<RangeText> ranges;
};

} // namespace sme::expr
