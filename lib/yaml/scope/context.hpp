// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "network/graph.hpp"
#include "yaml/design.hpp"
#include "yaml/scope/initial.hpp"
#include "yaml/scope/library.hpp"
#include "yaml/scope/network_scope.hpp"
#include "yaml/scope/streams.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

struct Context;

/// Buses as a scope knows them under one name: its own family, or what a port of a component is
/// bound to.
struct BusView {
    enum class Use : std::uint8_t { own, input, output };
    std::string name;
    Shape shape;  // as it is seen in the scope
    TypeRef type; // of a bundle: with its back fields
    Use use = Use::own;
    bool wire = false;
    Unwritten unwritten = Unwritten::zero;
    Location declared;
    /// Instance of the scope · shape.count() + place → number of a bus element.
    Segments elements;
    /// Of a bundle: the buses of each back field, in the order of the fields.
    std::vector<BusView> backs;

    /// The element at a place as one instance of the scope sees it.
    std::uint64_t element(std::uint64_t instance, std::uint64_t place) const {
        return static_cast<std::uint64_t>(elements.at(instance * shape.count() + place));
    }
};

/// A family of processes or of instances of a component, as a scope knows it under one name.
struct Unit {
    Shape shape; // as it is seen in the scope
    /// Of a process: its place in the graph, and its text for those who look inside.
    std::optional<std::size_t> family;
    std::shared_ptr<const expr::ProcessView> text;
    std::shared_ptr<const VerilogInstance> verilog; // of a process that is a module
    /// Of an instance of a component: its own scope.
    std::unique_ptr<Context> inside;
    const ChecksSyntax* checks = nullptr; // its own; they see its names directly
    Location declared;
    /// Of a family of instances that differ in their parameters: the parts whose members are alike,
    /// each with those members in its shape. Then there is nothing of the above but the shape.
    std::vector<Unit> groups;

    /// The unit that a member is in, and its number there over all instances of the scope.
    std::pair<const Unit*, std::uint64_t> member(std::uint64_t instance, std::uint64_t flat) const;
};

/// The clock domains of a scope: their numbers in the graph.
struct Domains {
    std::map<std::string, std::uint32_t> known;
    std::uint32_t own = no_domain; // of what names none
    bool broken = false;           // what is declared was reported
    bool alone = false;            // those of a component that is loaded by itself
};

/// A value for a parameter from outside: --set, or `with` of an instance.
struct GivenParameter {
    expr::Text text;
    expr::AstRef ast;                         // null: it is no expression
    Location where;                           // where its name stands
    Context* scope;                           // where the names in it are looked up
    std::map<std::string, Integer> indices{}; // of the member whose value it is
};

/// Checks that wait until all processes are known.
struct PendingChecks {
    Context* context;
    const ChecksSyntax* section;
    const Unit* process; // whose names are seen directly; null: those of the scope
};

/// What all scopes of one network share while it is loaded.
struct Loading {
    Diagnostics& diagnostics;
    const LoadOptions& options;
    const GroupFactories& kinds;
    Design design;
    expr::Fuel fuel;
    Integer memory_bytes = 0; // of all arrays of states and stages of delays
    Library library;
    std::size_t open_libraries = 0;
    std::vector<std::string> open_components; // those that are being loaded, outermost first
    std::vector<PendingChecks> checks;

    Loading(const LoadOptions& load_options, const GroupFactories& who, Diagnostics& into)
        : diagnostics{into}, options{load_options}, kinds{who}, library{load_options.library,
                                                                        load_options.files, into} {
        fuel.left = load_options.work;
        fuel.loops_from = load_options.loops_from;
    }

    /// Errors so far, but for those of form in components.
    std::size_t errors() const { return diagnostics.errors() - library.errors_in_components(); }
};

/// One scope: a network, an instance of a component (or a family of equal ones), or a library file.
struct Context {
    Loading& loading;
    Diagnostics& diagnostics;
    const GroupFactories& kinds;
    Design& design;
    NetworkScope scope;
    Initials initials;
    std::string prefix; // of the names of buses and processes: "stage.fifo."
    Shape around;       // of the instances; without dimensions: a single one
    std::map<std::string, GivenParameter> given;
    Domains domains;
    std::map<std::string, BusView> buses;
    std::map<std::string, Unit> members;
    std::map<std::string, const ComponentFile*> components; // those that were imported
    std::vector<ImportedFile*> imports; // of its import section, in order; those that are usable
    const ComponentFile* component = nullptr; // of an instance
    std::unique_ptr<FileSyntax> expanded;     // the file, without channels; null: it has none
    std::set<std::string> broken;             // buses reported where they are declared
    std::vector<std::string> open_channels;   // from which no actor receives
    /// Processes that compute what ports of Verilog modules are bound to, and the buses that they
    /// write. No name of the scope means them.
    struct MadeProcess {
        std::shared_ptr<const ProcessSyntax> process;
        Unit unit;
        BusView bus;
    };
    std::vector<std::unique_ptr<MadeProcess>> made;

    Context(Loading& all, const FilePlace& place)
        : loading{all}, diagnostics{all.diagnostics}, kinds{all.kinds}, design{all.design},
          scope{all.fuel}, initials{scope, place, all.options.files, all.diagnostics} {
        declare_streams(scope);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    bool spend(std::uint64_t units, const Location& where) {
        return scope.spend(units, where, diagnostics);
    }
    /// Counts what arrays of states and stages of delays need; reports what is too much.
    bool take_memory(Integer bytes, const std::string& name, const Location& where);
    /// The shape of a family of this scope in the graph.
    Shape in_graph(const Shape& own) const {
        return nested(around, prefix.empty() ? 0 : prefix.size() - 1, own);
    }
};

/// The part of a view that an index expression names: instance · own count + own place → element,
/// where `places` maps each of the own places to one of the view.
Segments composed(const BusView& view, const Segments& places, std::uint64_t instances);

} // namespace sme::yaml
