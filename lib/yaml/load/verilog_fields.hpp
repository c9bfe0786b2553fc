// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "network/verilog.hpp"
#include "yaml/load/port_loader.hpp"

namespace sme::yaml {

/// "frame[k].head.kind": fields of a bus.
struct FieldPath {
    expr::AstRef bus;                     // a name, with indices when it is a family
    std::vector<const expr::Ast*> fields; // the outermost first; empty: all of the bus
};

/// The path that a value is, where it begins with the name of a bus; else nothing.
std::optional<FieldPath> path_of(const expr::AstRef& value, const Context& context);

/// Whether a bus stands anywhere in an expression.
bool mentions_bus(const expr::Ast& ast, const Context& context);

/// The ports of a Verilog module that are bound to fields, as in "m_tdata: out.data". What lies at
/// one bus is one port of the process, whichever fields of it are bound.
class FieldPorts {
public:
    /// `names` are those of the module's ports that are bound.
    FieldPorts(Context& context, PortLoader& ports, const expr::ProcessView& text,
               std::set<std::string> names)
        : context_{context}, ports_{ports}, text_{text}, names_{std::move(names)} {}

    void add(const expr::FamilyName& port, const FieldPath& path, bool output, bool& broken);
    /// Whether a port of the process is one of these.
    bool has(const std::string& name) const;
    /// The bindings of all, when the ports have been loaded without an error.
    void finish(std::vector<VerilogBinding>& into);

private:
    struct Use {
        expr::FamilyName port;
        std::vector<const expr::Ast*> fields;
    };
    struct Group {
        std::string key;
        std::string name; // of the process's port
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

} // namespace sme::yaml
