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

} // namespace sme::yaml
