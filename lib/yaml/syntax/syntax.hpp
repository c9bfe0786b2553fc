// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/calls/functions.hpp"
#include "expr/process/observe.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/syntax/step.hpp"
#include "yaml/read/tree.hpp"

// A file as it was written: each text is parsed, no name is looked up. What could not be read has
// been reported: it is left out, or its tree is null and what holds it is `broken`.

namespace sme::yaml {

/// A value that is known before the run, or what a port is bound to.
struct ValueSyntax {
    expr::AstRef ast; // of all of it; null when it could not be read
    Location where;
    bool text = true;               // written as one text
    std::vector<ValueSyntax> parts; // of a list or map, in the order of the operands of `ast`
};

/// "name[k < n]: [wire] type = initial": a bus, a port of a component, a state.
struct DeclarationSyntax {
    expr::FamilyName name;
    std::optional<expr::Declaration> declaration; // nothing: broken
};

/// What a port is bound to.
struct BindingSyntax {
    std::optional<expr::FamilyName> port; // nothing: it has the name of its bus
    ValueSyntax value;
};

/// The section in or out of a process.
struct BindingsSyntax {
    enum class Form : std::uint8_t { single, list, map };
    Form form = Form::map;
    std::vector<BindingSyntax> ports;
};

/// A value for a parameter: an expression or the name of a file, as the parameter says.
struct GivenSyntax {
    Word name;
    expr::Text text;
    expr::AstRef ast; // null when it cannot be read as an expression
};

struct CheckSyntax {
    std::string_view word; // "always", "eventually by"
    expr::Check::Kind kind = expr::Check::Kind::always;
    expr::AstRef cycle; // of at, after and eventually
    expr::PropertyText property;
    std::string text; // "always: a == b", for reports
    Location key;
    Location where;
};

struct ChecksSyntax {
    Location where;
    std::vector<CheckSyntax> checks;
};

/// What `receive` or `take` of an actor says of one channel.
struct ChannelConditionSyntax {
    Word channel; // the port
    expr::AstRef condition;
};

/// An input that is read from another clock domain: "x: sampled" or "x: stable".
struct CrossingSyntax {
    Word port;
    bool sampled = false;
};

/// What a process and a component that is one have in common.
struct BodySyntax {
    std::vector<DeclarationSyntax> states;
    std::vector<expr::LetText> lets;
    expr::AstRef reset;                                // null: none
    std::vector<ChannelConditionSyntax> receive, take; // of an actor
    expr::AstRef done;                                 // of an actor; null: none
    std::vector<CrossingSyntax> crossings;
    Location actor;         // where the first of these stands; unknown: nowhere
    bool was_actor = false; // it has been made a process of an actor
    bool is_pure = false;   // such an actor, without buses and random values
    std::optional<expr::Block> step;
    std::optional<ChecksSyntax> checks;
    bool broken = false;
};

/// Which members of a family there are.
struct WhereSyntax {
    expr::AstRef ast; // null when it could not be read, or is no text
    Location where;
    bool text = true;
};

/// The component that an instance is; of a family, a list has one for each member.
struct UseSyntax {
    std::vector<Word> names;
    bool list = false;
    Location where;
};

/// A second implementation that is no part of the network: a recording of one.
struct OutsideSyntax {
    std::optional<Word> waveform, scope, clock, reset;
};

/// The domain around that an instance has for one of its component's.
struct DomainBindingSyntax {
    Word inner, outer;
};

/// An entry of processes: a process, an instance of a component, or a Verilog module.
struct ProcessSyntax {
    expr::FamilyName name;
    Location where; // of its name; of a second implementation: of its body
    std::optional<WhereSyntax> members;
    std::optional<UseSyntax> use;             // of an instance
    std::vector<GivenSyntax> with;            // of an instance
    std::optional<Word> domain;               // none: that of the scope
    std::vector<DomainBindingSyntax> domains; // of an instance whose component has several
    std::shared_ptr<const Node> verilog;      // of a module: its section, read where it is loaded
    std::vector<GivenSyntax> given;           // of a module: what its parameters are
    std::optional<BindingsSyntax> in, out;
    std::optional<OutsideSyntax> outside; // of a second implementation
    BodySyntax body;
    std::shared_ptr<const ProcessSyntax> against; // null: none, or broken
    bool broken = false;                          // nothing can be made of it
};

struct ParameterSyntax {
    enum class Kind : std::uint8_t { number, type, file };
    Kind kind;
    Word name;
    std::string path; // of a file
    expr::AstRef ast; // of a number or a type
};

struct RequirementSyntax {
    expr::AstRef ast;
    Word text;
};

/// A type: a text, a struct of fields, or an enumeration of members.
struct FieldSyntax;
struct MemberSyntax {
    Word name;
    expr::AstRef value; // null: the next one
    Location where;
};
struct TypeSyntax {
    Location where;
    expr::AstRef ast; // of a text
    std::vector<FieldSyntax> fields;
    std::vector<MemberSyntax> members;
};
struct FieldSyntax {
    Word name;
    bool back;
    TypeSyntax type;
};

/// An entry of types: "Word", "Stream(T)" or, of an enumeration, "Op u7".
struct NamedTypeSyntax {
    Word name;
    Location key;
    std::vector<Word> parameters;
    expr::AstRef width; // null: none
    Location width_where;
    TypeSyntax type;
};

/// "type = value", or a value alone; neither when it is broken.
struct ConstantSyntax {
    Word name;
    std::optional<expr::Declaration> declaration;
    ValueSyntax value;
    std::string text; // where it is one
};

struct FunctionSyntax {
    expr::FunctionName name;
    expr::Function function; // without a home
    bool in_parts = false;   // {let: names, return: value}
};

/// What a network, a component and a library have in common.
struct NamesSyntax {
    std::vector<Word> imports;
    std::vector<ParameterSyntax> parameters;
    std::vector<RequirementSyntax> conditions;
    std::vector<NamedTypeSyntax> types;
    std::vector<ConstantSyntax> constants;
    std::vector<FunctionSyntax> functions;
    bool broken = false; // one that others need
};

/// An entry of inputs: a file, or a map with the file and these words.
struct InputSyntax {
    Word bus;
    expr::AstRef element; // "bus[2]"; null: the whole family
    Word file;
    bool map = false;
    std::optional<Word> signal, clock, edge, sample, unknown, at_end;
};

struct OutputSyntax {
    Word path;
    ValueSyntax record;
    std::string record_text;    // where it is one
    expr::AstRef when;          // null: always
    std::optional<Word> domain; // in whose cycles there are rows; none: in all
    std::optional<Word> expect;
    std::optional<Word> halt_after;
    expr::AstRef rows; // of halt_after; null: all that are expected
};

/// What only a network has.
struct RunSyntax {
    std::optional<Word> clock;
    std::shared_ptr<const Node> domains; // the section, read where it is loaded; null: none
    std::vector<InputSyntax> inputs;
    std::vector<OutputSyntax> outputs;
    std::vector<RequirementSyntax> assumptions;
    expr::AstRef cycles; // null: not given
    Location cycles_where;
    std::optional<Word> trace;
};

/// A network, a component or a library.
struct FileSyntax {
    NamesSyntax names;
    RunSyntax run;                          // of a network
    std::vector<DeclarationSyntax> in, out; // of a component
    std::vector<Word> domains;              // of a component
    std::vector<DeclarationSyntax> buses;
    std::vector<DeclarationSyntax> channels;
    std::vector<ProcessSyntax> processes;
    bool has_processes = false; // even if there are none in the section
    BodySyntax body;            // of a component with a step; the checks of any file
    bool unknown_keys = false;
    bool broken = false; // in any place
};

} // namespace sme::yaml
