// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expr/syntax/step.hpp"

namespace sme::yaml {

struct SequenceItem;
using SequenceItems = std::vector<SequenceItem>;

/// One item of a sequence as written.
struct SequenceItem {
    enum class Kind : std::uint8_t {
        // These take at least one cycle:
        targets, // one cycle
        wait,    // until `condition` holds; `targets` are those of then
        pause,   // `condition` cycles; the same
        send,    // `ports`: ports and values
        receive, // `ports`: ports and targets
        all,     // parallel: `arms`, each a sequence of its own, until all have ended
        stop,    // rests until reset
        // These choose the next item:
        choice,  // `arms`: if, elif, else
        match,   // `arms` selected by `condition`
        loop,    // while `condition` holds
        repeat,  // `condition` times; `index` may be empty
        call,    // `condition`: procedure and arguments
        restart, // begins the sequence again
        leave,   // break
        go_on,   // continue
        back,    // return: ends the procedure
    };
    Kind kind = Kind::targets;
    Location where;
    std::string name; // `name:`; empty: it is named after its action
    expr::Block targets;
    expr::Block lasting; // `set:` of an item that waits: in each of its cycles
    expr::AstRef condition;
    std::string index;
    Location index_where;
    bool is_for = false;    // a repeat is written "for k < n"
    bool is_inline = false; // a call has items of its own
    struct End;
    std::vector<End> ports;
    struct Arm;
    std::vector<Arm> arms;
    std::shared_ptr<const SequenceItems> body; // of a loop
    expr::AstRef within;                       // cycles; null: no limit
    std::shared_ptr<const SequenceItems> late; // else of within; null: goes on with the next item
};

/// An end of a stream that an item sends to or receives from.
struct SequenceItem::End {
    expr::AstRef port; // also an element of an array of ports
    expr::AstRef target;
    expr::Rhs value; // of a send
    Location where;
};

struct SequenceItem::Arm {
    expr::AstRef condition;              // of a choice; null for else
    std::vector<expr::Pattern> patterns; // of a match; empty for else
    Location where;
    SequenceItems items;
};

/// A sequence with a name and parameters, which items call.
struct ProcedureSyntax {
    struct Parameter {
        std::string name;
        Location where;
        expr::AstRef type;
    };
    std::string name;
    Location where;
    std::vector<Parameter> parameters;
    SequenceItems items;
};

/// The word of an item: "wait"; empty for a map of targets and for a choice or match.
std::string_view word_of(SequenceItem::Kind kind);
/// True for a key with which an item cannot begin if it is a map of targets.
bool is_item_word(std::string_view key);

} // namespace sme::yaml
