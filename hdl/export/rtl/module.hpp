// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "export/rtl/expr.hpp"

namespace sme::hdl::rtl {

struct Statement;
using Statements = std::vector<Statement>;

/// A statement of a block, a function or a loop.
struct Statement {
    enum class Kind : std::uint8_t {
        comment, // `text`
        assign,  // `target` = `value`
        chain,   // the first of `arms` whose condition holds; a null condition always does
        cases,   // the first of `arms` that has a label equal to `value`
        loop,    // `variable` goes from `low` to `end` - 1
        wake,    // `body` again, for simulators that would not run the block otherwise
    };
    struct Arm {
        ExprRef condition;           // of a chain
        std::vector<ExprRef> labels; // of cases
        bool is_last = false;        // of cases: taken if no label matches
        Statements body;
    };

    Kind kind = Kind::comment;
    bool clocked = false; // of an assignment: takes effect at the clock edge
    bool is_open = false; // of cases: some labels have don't-care bits
    bool bare = false;    // of a loop: has one statement
    std::string text;
    Place target;
    ExprRef value;
    std::vector<Arm> arms;
    std::string variable;
    Integer low = 0;
    Integer end = 0;
    Statements body;

    static Statement comment(std::string text);
    static Statement assign(Place target, ExprRef value, bool clocked);
    static Statement chain(std::vector<Arm> arms);
    static Statement loop(std::string variable, Integer low, Integer end, Statements body,
                          bool bare = false);
    static Statement of(Kind kind, Statements body);
};

void append(Statements& to, Statements more);

/// A vector, or a number without a width.
struct Declared {
    std::string name;
    std::uint64_t width = 1;
    bool is_signed = false;
    bool is_integer = false;
};

struct Blank {};
struct Comment {
    std::string text;
};
/// A constant of a module.
struct Constant {
    Declared what;
    ExprRef value;
};
/// A signal, or a memory with a number of words.
struct Net {
    Declared what;
    bool is_reg = false; // a block assigns it
    std::uint64_t words = 0;
    ExprRef value;           // null: driven elsewhere
    std::string behind = {}; // a trailing comment
};
struct Assign {
    Place target;
    ExprRef value;
    std::string behind = {};
};
/// A block of statements.
struct Process {
    enum class Kind : std::uint8_t { clocked, settling, start };
    Kind kind = Kind::clocked;
    Statements body;
    std::string clock = "clk";
    bool bare = false;     // has one statement
    std::string sets = {}; // of a settling block: the one variable that it assigns, if any
};
struct Given { // the value of a parameter
    std::string name;
    ExprRef value;
};
struct Connection {
    std::string port;
    ExprRef to; // null: unconnected
    bool driven = false;
};
struct Instance {
    std::string module;
    std::string name;
    std::vector<Given> parameters;
    std::vector<Connection> connections;
};
/// Instances in loops, the outermost first.
struct Generate {
    struct Loop {
        std::string variable;
        std::string label;
        std::int64_t low = 0;
        std::int64_t end = 0;
    };
    std::vector<Loop> loops;
    Instance instance;
};
/// An array with each element assigned: runs of elements in loops, by expressions of the loop
/// variables, the others individually.
struct Elements {
    struct Run {
        std::vector<Generate::Loop> loops; // the outermost first
        std::vector<Net> nets;             // of each element
        Assign element;
        std::string unused = {};              // the name for unread bits of the nets
        std::vector<std::string> unread = {}; // these bits, as slices
    };
    Net whole;
    std::vector<Run> runs;
    std::vector<Assign> others;
};
/// A function of a module: one of the network, or one for an operator.
struct Function {
    Declared result;
    std::vector<std::string> comments;
    std::vector<Declared> inputs;
    std::vector<Declared> variables;
    Statements body;
    ExprRef value;
    std::vector<ExprRef> words;  // of a table of constants, instead of a value; null: zero
    bool is_partly_read = false; // some bits of its arguments and variables are unread
};

using Item = std::variant<Blank, Comment, Constant, Net, Function, Assign, Process, Instance,
                          Generate, Elements>;
using Items = std::vector<Item>;

struct Parameter {
    Declared what;
    ExprRef value;
    std::string note = {};
};
struct Port {
    Declared what;
    bool output = false;
    bool is_reg = false;
    std::vector<std::string> notes = {};
};

struct Module {
    std::string name;
    std::vector<std::string> comments;
    std::vector<Parameter> parameters;
    std::vector<Port> ports; // including clk and rst
    Items items;
    std::string unused = {};              // the name for unread bits
    std::vector<std::string> unread = {}; // these bits, as slices
};

/// Calls visit(variables) for each step of loops.
template <class Visit>
void each_step(const std::vector<Generate::Loop>& loops, const Visit& visit, Variables& at,
               std::size_t from = 0) {
    if (from == loops.size())
        return visit(at);
    for (std::int64_t k = loops[from].low; k < loops[from].end; ++k) {
        at[loops[from].variable] = k;
        each_step(loops, visit, at, from + 1);
    }
}
template <class Visit>
void each_step(const std::vector<Generate::Loop>& loops, const Visit& visit) {
    Variables at;
    each_step(loops, visit, at);
}

void append(Items& to, Items more);
/// Adds a comment for each.
void add_comments(Items& to, const std::vector<std::string>& comments);
void add_comments(Statements& to, const std::vector<std::string>& comments);

/// Calls visit(place) for each place that is read, and those in the indices of assignment targets.
template <class Visit> void each_read(const Statements& statements, Visit visit) {
    for (const Statement& each : statements) {
        if (each.kind == Statement::Kind::assign)
            each_place(each.target, visit, false);
        each_place(each.value, visit);
        for (const Statement::Arm& arm : each.arms) {
            each_place(arm.condition, visit);
            for (const ExprRef& label : arm.labels)
                if (!arm.is_last) // the last arm compares nothing
                    each_place(label, visit);
            each_read(arm.body, visit);
        }
        each_read(each.body, visit);
    }
}

/// Calls visit(statement) for each assignment.
template <class Visit> void each_assignment(const Statements& statements, Visit visit) {
    for (const Statement& each : statements) {
        if (each.kind == Statement::Kind::assign)
            visit(each);
        for (const Statement::Arm& arm : each.arms)
            each_assignment(arm.body, visit);
        each_assignment(each.body, visit);
    }
}

} // namespace sme::hdl::rtl
