// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/functions.hpp"
#include "network/graph.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/pipeline.hpp"
#include "yaml/syntax/sequence.hpp"

// A file as written: each text is parsed, no name is resolved. An unreadable part has been
// reported: it is omitted, or its tree is null and its parent is `broken`.

namespace sme::yaml {

/// A value known before the run, or the binding of a port.
struct ValueSyntax {
    expr::AstRef ast; // the whole value; null if unreadable
    Location where;
    bool text = true;               // written as one text
    std::vector<ValueSyntax> parts; // for a list or map, in the order of the operands of `ast`
};

/// "name[k < n]: [wire] type = initial": a bus, a port of a component, a state.
struct DeclarationSyntax {
    expr::FamilyName name;
    std::optional<expr::Declaration> declaration; // nullopt: broken
    ChannelPart channel = {};                     // for a bus generated for a channel
    std::string closes = {}; // for a generated port, "a.closed": the port "a" of a channel
};

/// The binding of a port.
struct BindingSyntax {
    std::optional<expr::FamilyName> port; // nullopt: it has the name of its bus
    ValueSyntax value;
    std::string closes = {}; // for a generated binding, "a.closed": the port "a" of a channel
};

/// The section in or out of a process.
struct BindingsSyntax {
    enum class Form : std::uint8_t { single, list, map };
    Form form = Form::map;
    std::vector<BindingSyntax> ports;
};

/// A parameter value: an expression or a file name, depending on the parameter.
struct GivenSyntax {
    Word name;
    expr::Text text;
    expr::AstRef ast; // null if not an expression
};

struct CheckSyntax {
    std::string_view word; // "always", "eventually by"
    expr::Check::Kind kind = expr::Check::Kind::always;
    expr::AstRef cycle; // for at, after and eventually
    expr::PropertyText property;
    std::string text; // "always: a == b", for reports
    Location key;
    Location where;
};

struct ChecksSyntax {
    Location where;
    std::vector<CheckSyntax> checks;
};

/// A condition under `receive` or `take` of an actor, for one channel.
struct ChannelConditionSyntax {
    Word channel; // port
    expr::AstRef condition;
};

/// An input read from another clock domain: "x: sampled" or "x: stable".
struct CrossingSyntax {
    Word port;
    bool sampled = false;
};

/// The common part of a process and a component that is a process.
struct BodySyntax {
    std::vector<DeclarationSyntax> states;
    std::vector<expr::LetText> lets;
    expr::AstRef reset;                                // null if absent
    std::vector<ChannelConditionSyntax> receive, take; // for an actor
    expr::AstRef done;                                 // for an actor; null if absent
    std::vector<CrossingSyntax> crossings;
    Location actor; // location of the first of these; unknown if absent
    std::shared_ptr<const expr::ActorNames> names; // of an actor, once it is a process
    std::optional<expr::Block> step;
    std::shared_ptr<const SequenceItems> sequence; // null if absent
    std::vector<ProcedureSyntax> procedures;
    bool halts = false;                             // the run ends with the sequence
    std::shared_ptr<const PipelineSyntax> pipeline; // null if absent
    std::optional<ChecksSyntax> checks;
    bool broken = false;

    /// Returns true if something says what it does in a cycle.
    bool acts() const { return step || sequence || pipeline; }
};

/// A condition that selects the members of a family.
struct WhereSyntax {
    expr::AstRef ast; // null if unreadable or not a text
    Location where;
    bool text = true;
};

/// The component of an instance; for a family, a list has one component for each member.
struct UseSyntax {
    std::vector<Word> names;
    bool list = false;
    Location where;
};

/// A second implementation outside the network: a recording of one.
struct OutsideSyntax {
    std::optional<Word> waveform, scope, clock, reset;
};

/// Binds a domain of an instance's component to a domain of the enclosing scope.
struct DomainBindingSyntax {
    Word inner, outer;
};

/// An entry of processes: a process, an instance of a component, or a Verilog module.
struct ProcessSyntax {
    expr::FamilyName name;
    Location where; // location of its name; for a second implementation, of its body
    std::optional<WhereSyntax> members;
    std::optional<UseSyntax> use;             // for an instance
    std::vector<GivenSyntax> with;            // for an instance
    std::optional<Word> domain;               // nullopt: that of the scope
    std::vector<DomainBindingSyntax> domains; // for an instance whose component has several domains
    std::shared_ptr<const Node> verilog;      // for a module: its section, read during loading
    std::vector<GivenSyntax> given;           // for a module: its parameter values
    std::optional<BindingsSyntax> in, out;
    std::optional<OutsideSyntax> outside; // for a second implementation
    BodySyntax body;
    ChannelPart channel;                          // for a process generated for a channel
    const expr::QueueNames* queue = nullptr;      // for the queue of a channel
    std::shared_ptr<const ProcessSyntax> against; // null if absent or broken
    bool broken = false;                          // unusable
};

struct ParameterSyntax {
    enum class Kind : std::uint8_t { number, type, file };
    Kind kind;
    Word name;
    std::string path; // for a file
    expr::AstRef ast; // for a number or a type
};

struct RequirementSyntax {
    expr::AstRef ast;
    Word text;
};

/// A type: a text, a struct of fields, or an enumeration of members.
struct FieldSyntax;
struct MemberSyntax {
    Word name;
    expr::AstRef value; // null: the previous value plus 1
    Location where;
};
struct TypeSyntax {
    Location where;
    expr::AstRef ast; // for a text
    std::vector<FieldSyntax> fields;
    std::vector<MemberSyntax> members;
};
struct FieldSyntax {
    Word name;
    bool back;
    TypeSyntax type;
};

/// An entry of types: "Word", "Stream(T)" or, for an enumeration, "Op u7".
struct NamedTypeSyntax {
    Word name;
    Location key;
    std::vector<Word> parameters;
    expr::AstRef width; // null if absent
    Location width_where;
    TypeSyntax type;
};

/// "type = value", or only a value; both are null if broken.
struct ConstantSyntax {
    Word name;
    std::optional<expr::Declaration> declaration;
    ValueSyntax value;
    std::string text; // if it is a text
};

struct FunctionSyntax {
    expr::FunctionName name;
    expr::Function function; // without a home
    bool in_parts = false;   // {let: names, return: value}
};

/// The common part of a network, a component and a library.
struct NamesSyntax {
    std::vector<Word> imports;
    std::vector<ParameterSyntax> parameters;
    std::vector<RequirementSyntax> conditions;
    std::vector<NamedTypeSyntax> types;
    std::vector<ConstantSyntax> constants;
    std::vector<FunctionSyntax> functions;
    bool broken = false; // a name that others need is broken
};

/// The value that an input has from a cycle on.
struct ChangeSyntax {
    expr::AstRef cycle;
    ValueSyntax value;
};

/// An entry of inputs: a file, a map with the file and these keys, or changes.
struct InputSyntax {
    std::string key; // as written
    Word bus;
    expr::AstRef element;              // "bus[2]"; null: the whole family
    std::vector<ChangeSyntax> changes; // if any, there is no file
    bool random = false;               // there is no file
    bool open = false;                 // fed from outside the network
    bool driven = false;               // by the caller (LoadOptions::driven): it is left out
    Word file;
    bool map = false;
    std::optional<Word> signal, clock, edge, sample, unknown, at_end;
};

struct OutputSyntax {
    std::string key; // as written
    Word path;
    ValueSyntax record;
    std::string record_text;    // if it is a text
    expr::AstRef when;          // null: always
    std::optional<Word> domain; // rows are recorded in its cycles; nullopt: in all cycles
    std::optional<Word> expect;
    std::optional<Word> halt_after;
    expr::AstRef rows; // for halt_after; null: all expected rows
};

/// The sections that only a network has.
struct RunSyntax {
    std::optional<Word> clock;
    std::shared_ptr<const Node> domains; // its section, read during loading; null if absent
    std::vector<InputSyntax> inputs;
    std::vector<OutputSyntax> outputs;
    std::vector<RequirementSyntax> assumptions;
    expr::AstRef cycles; // null if absent
    Location cycles_where;
    std::optional<Word> trace;
};

/// An entry of tests: a run of the network with other parameters, and with more inputs, outputs and
/// checks.
struct TestSyntax {
    expr::FamilyName name;
    std::vector<GivenSyntax> set;
    std::optional<Word> seeds; // "7" or "1..20"
    RunSyntax run;             // only inputs, outputs, assumptions, cycles and trace
    BodySyntax body;           // its checks, and the sequence that feeds the network
};

/// A network, a component or a library.
struct FileSyntax {
    NamesSyntax names;
    RunSyntax run;                          // for a network
    std::vector<TestSyntax> tests;          // for a network
    std::vector<DeclarationSyntax> in, out; // for a component
    std::vector<Word> domains;              // for a component
    std::vector<DeclarationSyntax> buses;
    std::vector<DeclarationSyntax> channels;
    std::vector<ProcessSyntax> processes;
    bool has_processes = false; // even if the section is empty
    BodySyntax body;            // for a component with a step; for any file, its checks
    bool incomplete = false;    // unknown keys, or names of buses or channels that cannot be read
    bool broken = false;        // anywhere in the file
};

} // namespace sme::yaml
