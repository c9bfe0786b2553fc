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

/// An expression as it was written. What `operands` are:
struct Ast {
    enum class Kind : std::uint8_t {
        number,      // `value`, or `words` when it has more than 126 bits
        boolean,     // `value` 0 or 1
        name,        // `text`
        index,       // base, then one or more indices
        slice,       // base, high, low
        field,       // base; `text` is the field
        call,        // callee (a name, or a call that makes a type), then arguments
        named,       // `text` = operand, as an argument; `text`: operand in a map of fields
        unary,       // operand
        binary,      // two operands
        conditional, // condition, value, condition, value, …, value of else
        fields,      // of {a: 1, b: 2}: what is `named`
        list,        // elements of [a, b]
        file,        // file(text)
        range, // in the brackets of a target, `text` < operand; a second operand is the low end
    };
    Kind kind;
    Operator op = Operator::add;
    Location where;
    std::string text;
    Integer value = 0;
    std::shared_ptr<const Words> words; // null: `value` is the number
    int depth = 1; // of the tree below; what operators of one strength chain stands side by side
    std::vector<AstRef> operands;
};

/// The operators that stand left of each other without parentheses, outermost first: `a + b - c` is
/// two. Chains are long where trees are not deep, so they are walked in a loop.
std::vector<const Ast*> chain_of(const Ast& binary);

/// "name: [wire | delay n] [hold | error] type [= initial]" after its colon; of a channel
/// "[depth n] [delay n] type".
struct Declaration {
    Location where;
    bool wire = false;
    AstRef delay; // null: not given
    bool hold = false;
    bool error = false;
    AstRef depth;         // of a channel; null: not given
    bool channel = false; // of a port: the end of a channel, of messages of the type
    bool made = false;    // it does not stand in the file
    AstRef type;          // null only when broken
    AstRef initial;       // null: not given
};

/// What a check is about: "a", or a sequence, "a then b within 3".
struct PropertyText {
    AstRef first;           // null when it cannot be read
    AstRef then;            // null: no sequence
    AstRef from;            // of "in 2 to 5": 2; null: of "within"
    AstRef to;              // the last cycle, counted from that of `first`
    bool one_cycle = false; // "in 2": `from` is `to`
};

/// One range of a family: "n", "k < n" or "1 <= k < n".
struct RangeText {
    Location where;
    AstRef low;        // null: 0
    std::string index; // empty: not named
    AstRef end;
};

/// "name" or "name[ranges]".
struct FamilyName {
    Location where;
    std::string name;
    std::vector<RangeText> ranges;
};

} // namespace sme::expr
