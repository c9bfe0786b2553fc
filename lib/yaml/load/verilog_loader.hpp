// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "network/verilog.hpp"
#include "yaml/load/port_loader.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// An input of a Verilog module that is bound to an expression of buses.
struct VerilogExpression {
    const std::string& owner;   // process, "stage.filter"
    const Shape& members;       // its shape in its scope
    const expr::FamilyName& to; // port
    const ValueSyntax& value;
    const VerilogPort& port; // port of the module
};

/// Adds a process that computes the expression, and a wire "owner.port" that it writes. Returns the
/// wire as the binding of the port; `nullopt` after an error was reported.
std::optional<Binding> bind_expression(const VerilogExpression& expression, Context& context);

/// Reads the value of the key 'verilog'. `nullopt` after an error was reported.
std::optional<VerilogModule> read_verilog(const Node& section, Context& context);

/// Reads the name of a module or a port. It must be an SME identifier, as it becomes part of a
/// command. `key` is the key of the value.
void read_module_name(const Node& node, const char* key, Placed& into, Diagnostics& diagnostics);

/// Reads a port, or a map from ports to their clock rates.
void read_clocks(const Node& node, Context& context, VerilogModule& into);

/// Reads a port, a map with port, active and cycles, or a list of these.
void read_resets(const Node& node, Context& context, VerilogModule& into);

/// A path to fields of a bus: "frame[k].head.kind".
struct FieldPath {
    expr::AstRef bus;                     // a name, with indices for a family
    std::vector<const expr::Ast*> fields; // outermost first; empty: the whole bus
};

/// Returns the path in a value that begins with the name of a bus; else `nullopt`.
std::optional<FieldPath> path_of(const expr::AstRef& value, const Context& context);

/// Returns true if an expression contains a bus.
bool mentions_bus(const expr::Ast& ast, const Context& context);

/// The ports of a Verilog module that are bound to fields, as in "m_tdata: out.data". All fields of
/// one bus form one port of the process, whichever of them are bound.
class FieldPorts {
public:
    /// `names` are the bound ports of the module.
    FieldPorts(Context& context, PortLoader& ports, const expr::ProcessView& text,
               std::set<std::string> names)
        : context_{context}, ports_{ports}, text_{text}, names_{std::move(names)} {}

    void add(const expr::FamilyName& port, const FieldPath& path, bool output, bool& broken);
    /// Returns true if a port of the process is one of these.
    bool has(const std::string& name) const;
    /// Returns all bindings, after the ports have been loaded without errors.
    void finish(std::vector<VerilogBinding>& into);

private:
    struct Use {
        expr::FamilyName port;
        std::vector<const expr::Ast*> fields;
    };
    struct Group {
        std::string key;
        std::string name; // port of the process
        const BusView* view;
        bool output;
        Location where;
        std::vector<Use> uses;
    };

    Group* group_of(const expr::FamilyName& port, const FieldPath& path, bool output, bool& broken);
    std::optional<VerilogBinding> resolve(const Group& group, const Use& use) const;
    const expr::PortText* port_of(const Group& group, const Field& first) const;
    bool check_apart(const Group& group, const Use& use) const;
    void check_written(const Group& group) const;
    static std::string unwritten(const Group& group, const Type& type,
                                 std::vector<std::string>& path);

    Context& context_;
    PortLoader& ports_;
    const expr::ProcessView& text_;
    std::set<std::string> names_;
    std::vector<Group> groups_;
};

/// Loads a family of processes that are a Verilog module.
Unit load_verilog_process(Context& context, const ProcessSyntax& body, const std::string& name,
                          const Shape& shape);

} // namespace sme::yaml
