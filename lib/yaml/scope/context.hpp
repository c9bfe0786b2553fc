// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/hierarchy.hpp"
#include "network/graph.hpp"
#include "yaml/design.hpp"
#include "yaml/scope/initial.hpp"
#include "yaml/scope/library.hpp"
#include "yaml/scope/network_scope.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

struct Context;

using expr::BusView;

/// A family of processes or of instances of a component, under one name in a scope, while the
/// network is loaded.
struct Unit : expr::Unit {
    std::unique_ptr<Context> context;     // for an instance: its own scope
    Context* scope = nullptr;             // for a process: the scope that it is declared in
    const ChecksSyntax* checks = nullptr; // its own; they see its names directly
    ChannelPart channel;
    const expr::QueueNames* queue = nullptr; // null: no queue of a channel
    /// For a family of instances with different parameters: its parts with equal members, each with
    /// those members in its shape. Of the other fields, only the shape is then set.
    std::vector<Unit> groups;

    /// Returns the unit of a member, and its number there over all instances of the scope.
    std::pair<const Unit*, std::uint64_t> member(std::uint64_t instance, std::uint64_t flat) const;
};

/// The clock domains of a scope: their numbers in the graph.
struct Domains {
    std::map<std::string, std::uint32_t> known;
    std::uint32_t own = no_domain; // domain of entries that name none
    bool broken = false;           // an error in the declaration was reported
    bool alone = false;            // for a component that is loaded by itself
};

/// A parameter value from outside: --set, or `with` of an instance.
struct GivenParameter {
    expr::Text text;
    expr::AstRef ast;                         // null if not an expression
    Location where;                           // location of its name
    Context* scope;                           // scope of the names in it
    std::map<std::string, Integer> indices{}; // indices of the member
};

/// Checks that wait until all processes are known.
struct PendingChecks {
    Context* context;
    const ChecksSyntax* section;
    const Unit* process; // process whose names are directly visible; null: the scope
};

/// The state that all scopes of one network share during loading.
struct Loading {
    Diagnostics& diagnostics;
    const LoadOptions& options;
    const GroupFactories& kinds;
    Design design;
    expr::Fuel fuel;
    Integer memory_bytes = 0; // total of array states and delay stages
    Library library;
    std::size_t open_libraries = 0;
    std::vector<std::string> open_components; // components being loaded, outermost first
    std::vector<PendingChecks> checks;
    std::set<std::string> observed; // members of processes that checks and recordings read

    Loading(const LoadOptions& load_options, const GroupFactories& who, Diagnostics& into)
        : diagnostics{into}, options{load_options}, kinds{who}, library{load_options.library,
                                                                        load_options.files,
                                                                        load_options.size, into} {
        using expr::Fuel;
        fuel.left = load_options.size * load_options.work;
        fuel.loops_from = load_options.loops_from;
        if (load_options.unrolled) {
            fuel.left *= Fuel::max_unrolled / Fuel::usual_loops_from;
            fuel.loops_from = Fuel::max_unrolled + 1;
        }
    }

    /// Returns the number of errors, without those of form in components.
    std::size_t errors() const { return diagnostics.errors() - library.errors_in_components(); }
};

/// One scope: a network, an instance of a component (or a family of equal instances), or a library
/// file.
struct Context {
    Loading& loading;
    Diagnostics& diagnostics;
    const GroupFactories& kinds;
    Design& design;
    NetworkScope scope;
    Initials initials;
    std::string prefix; // prefix of bus and process names: "stage.fifo."
    Shape around;       // shape of the instances; no dimensions: a single instance
    std::map<std::string, GivenParameter> given;
    Domains domains;
    std::map<std::string, BusView> buses;
    std::map<std::string, Unit> members;
    std::map<std::string, const ComponentFile*> components; // imported components
    std::vector<ImportedFile*> imports;                     // usable imports, in order
    const ComponentFile* component = nullptr;               // for an instance
    expr::ModuleView view;                                  // for exporters, once described
    std::unique_ptr<FileSyntax> expanded;                   // the file, or null if without channels
    std::set<std::string> broken;                           // buses whose declarations had errors
    /// A channel without a receiving actor: its names in the scope. `queue` and `sent` are empty
    /// for a channel without a queue.
    struct OpenChannel {
        std::string received, queue, sent;
    };
    std::vector<OpenChannel> open_channels;
    /// Processes that compute the bindings of Verilog ports, and the buses that they write. They
    /// have no names in the scope.
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
    /// Charges the memory of array states and delay stages; reports an exceeded limit.
    bool take_memory(Integer bytes, const std::string& name, const Location& where);
    /// Returns the shape of a family of this scope in the graph.
    Shape in_graph(const Shape& own) const {
        return nested(around, prefix.empty() ? 0 : prefix.size() - 1, own);
    }
};

/// The path of a file that the network writes.
std::string written_path(const std::string& name, Context& context);

/// Returns the part of a view that an index expression selects: instance · own count + own position
/// → element. `places` maps each own position to one in the view.
Segments composed(const BusView& view, const Segments& places, std::uint64_t instances);

} // namespace sme::yaml
