// SPDX-License-Identifier: Apache-2.0
//
// Loads a Verilog process: 1. the module, 2. its ports, from the Verilog reader, 3. the buses that
// the file binds to them.
#include "yaml/load/verilog_loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/process.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/load/binding.hpp"
#include "yaml/load/port_loader.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

class VerilogLoader {
public:
    VerilogLoader(Context& context, const ProcessSyntax& body, const std::string& name,
                  const Shape& shape)
        : context_{context}, diagnostics_{context.diagnostics}, body_{body}, shape_{shape},
          text_{std::make_shared<expr::ProcessView>()}, ports_{context, shape_, family_, *text_},
          fields_{context, ports_, *text_, names_of(body)} {
        family_.name = name;
        family_.shape = context_.in_graph(shape_);
        family_.count = family_.shape.count();
        family_.declared = body.where;
        text_->name = name;
    }

    Unit run() {
        const std::size_t errors = diagnostics_.errors();
        Unit result;
        result.shape = shape_;
        result.process = text_;
        result.declared = family_.declared;
        const std::optional<VerilogModule> module = read_verilog(*body_.verilog, context_);
        if (!module)
            return result;
        if (!context_.kinds.verilog) {
            diagnostics_.add(Code::verilog_missing, module->where,
                             "this program runs no Verilog; use the command sme");
            return result;
        }
        const std::vector<VerilogPort>* const ports =
            context_.kinds.verilog->ports(*module, diagnostics_);
        if (!ports)
            return result;
        for (const bool output : {false, true})
            if (const auto& section = output ? body_.out : body_.in)
                for (const BindingSyntax& binding : section->ports)
                    load_port(binding, output, *ports);
        if (diagnostics_.errors() != errors || body_.body.broken || broken_)
            return result;
        add_bindings();
        if (const Node* const unbound = body_.verilog->find("unbound"))
            bind_others(*unbound, *module, *ports);
        if (diagnostics_.errors() != errors)
            return result;
        if (context_.kinds.verilog->attach(*module, bindings_, family_, context_.design.graph,
                                           diagnostics_)) {
            context_.design.may_halt = true; // $finish
            place_ports(*module, *ports);
            context_.design.graph.processes.push_back(std::move(family_));
            result.family = context_.design.graph.processes.size() - 1;
            result.verilog = std::make_shared<VerilogInstance>(
                VerilogInstance{*module, std::move(bindings_), *ports});
        }
        return result;
    }

private:
    static std::set<std::string> names_of(const ProcessSyntax& body) {
        std::set<std::string> names;
        for (const auto* section : {&body.in, &body.out})
            if (*section)
                for (const BindingSyntax& binding : (*section)->ports)
                    if (binding.port)
                        names.insert(binding.port->name);
        return names;
    }

    void load_port(const BindingSyntax& port, bool output, const std::vector<VerilogPort>& ports) {
        const expr::AstRef& value = port.value.ast;
        const auto path = path_of(value, context_);
        if (!value || (path && path->fields.empty()))
            return load_bus(port, output);
        if (!port.port)
            return misplaced(port.value, "what is no bus needs the name of its port, as in "
                                         "'port: x.field'");
        if (path) {
            if (take(port.port->name, port.port->where))
                fields_.add(*port.port, *path, output, broken_);
        } else if (output)
            misplaced(port.value, "an output is bound to a bus or to a field of one, as in "
                                  "'port: x.field'");
        else if (mentions_bus(*value, context_))
            load_expression(*port.port, port.value, ports);
        else if (is_constant_value(port.value, context_))
            load_constant(*port.port, port.value, ports);
        else
            load_bus(port, output); // reports the unknown name
    }

    void misplaced(const ValueSyntax& value, const char* message) {
        diagnostics_.add(Code::bad_index, value.where, message);
    }

    void load_bus(const BindingSyntax& port, bool output) {
        const std::optional<Binding> binding = find_binding(port.value, context_, broken_);
        if (!binding)
            return;
        const expr::FamilyName name = port.port ? *port.port : port_named_as(*binding);
        if (take(name.name, name.where))
            ports_.add(name, *binding, output);
    }

    void load_expression(const expr::FamilyName& name, const ValueSyntax& value,
                         const std::vector<VerilogPort>& ports) {
        const auto port = std::find_if(ports.begin(), ports.end(), [&](const VerilogPort& each) {
            return each.name == name.name;
        });
        if (!take(name.name, name.where))
            return;
        if (port == ports.end()) { // reported with the known names
            VerilogBinding unknown;
            unknown.name = name.name;
            unknown.where = name.where;
            bindings_.push_back(std::move(unknown));
        } else if (const auto bound =
                       bind_expression({family_.name, shape_, name, value, *port}, context_))
            ports_.add(name, *bound, false);
    }

    bool take(const std::string& name, const Location& where) {
        if (names_.insert(name).second)
            return true;
        diagnostics_.add(Code::duplicate_name, where,
                         fmt::format("port '{}' is bound twice", name));
        return false;
    }

    void load_constant(const expr::FamilyName& name, const ValueSyntax& value,
                       const std::vector<VerilogPort>& ports) {
        const auto port = std::find_if(ports.begin(), ports.end(), [&](const VerilogPort& each) {
            return each.name == name.name;
        });
        if (!take(name.name, name.where))
            return;
        VerilogBinding binding;
        binding.name = name.name;
        binding.where = name.where;
        binding.port = static_cast<std::uint32_t>(family_.ports.size());
        const TypeRef type = type_at(port == ports.end() ? nullptr : &*port, value);
        const BusFamily* const bus =
            add_constant_bus(value, name.name, fmt::format("{}.{}", family_.name, name.name), type,
                             context_.in_graph(shape_), shape_, 1, context_);
        if (!bus)
            return;
        Port result;
        result.name = name.name;
        result.type = type;
        result.declared = name.where;
        result.buses = Segments::affine(family_.count, static_cast<std::int64_t>(bus->first), 1);
        family_.ports.push_back(std::move(result));
        bindings_.push_back(std::move(binding));
    }

    /// Gives a value to all unbound inputs.
    void bind_others(const Node& node, const VerilogModule& module,
                     const std::vector<VerilogPort>& ports) {
        const ValueSyntax value = read_value(node, diagnostics_);
        if (!value.ast)
            return;
        for (const VerilogPort& port : ports) {
            const bool is_bound =
                std::any_of(bindings_.begin(), bindings_.end(),
                            [&](const VerilogBinding& each) { return each.name == port.name; });
            const std::size_t before = bindings_.size();
            if (!port.output && !is_bound && !module.is_control(port.name))
                load_constant({node.where, port.name, {}}, value, ports);
            if (bindings_.size() > before)
                bindings_.back().unbound = true;
        }
    }

    /// Returns the type of a value at a port (null if unknown): a struct, an array or a bool has
    /// its own type; any other value is a number of the port's width.
    TypeRef type_at(const VerilogPort* port, const ValueSyntax& value) {
        expr::Trial trial{context_.scope.fuel()}; // errors are reported when it is converted
        Constants constants{context_.scope, trial.diagnostics};
        for (const Shape::Dimension& dimension : shape_.dimensions)
            constants.elaborator().bind(dimension.index, expr::BoundExpr::number(dimension.low));
        const unsigned width = port ? port->width : 1;
        const expr::BoundExpr found = value_of(*value.ast, constants.elaborator());
        if (found.is_bool() ? width == 1 : found.type && !found.type->is_scalar())
            return found.type;
        return port && port->is_signed && width <= 64 ? Type::signed_integer(width)
                                                      : Type::unsigned_integer(width);
    }

    /// Adds the ports in the text of the process as ports of the module.
    void add_bindings() {
        for (const expr::PortText& port : text_->inputs)
            if (!fields_.has(port.name))
                add_bindings(port, false, port.read_port);
        for (const expr::PortText& port : text_->outputs)
            if (!fields_.has(port.name))
                add_bindings(port, true, port.write_port);
        fields_.finish(bindings_);
    }

    /// Adds the fields of a bundle as separate ports: "x_valid".
    void add_bindings(const expr::PortText& port, bool output, std::uint32_t number) {
        VerilogBinding binding;
        binding.output = output;
        binding.port = number;
        binding.count = port.count();
        binding.wire = port.wire;
        binding.where = port.declared;
        binding.name = port.name;
        std::replace(binding.name.begin(), binding.name.end(), '.', '_'); // a back field
        if (!port.bundle) {
            bindings_.push_back(binding);
            return;
        }
        for (std::size_t field = 0; field < port.type->fields().size(); ++field) {
            VerilogBinding one = binding;
            one.field = static_cast<int>(field);
            one.bundle = true;
            one.name += "_" + port.type->fields()[field].name;
            bindings_.push_back(std::move(one));
        }
        std::size_t back = 0;
        for (const Field& field : port.bundle->fields())
            if (field.back && output) { // the writer reads them
                VerilogBinding one = binding;
                one.output = false;
                one.port = port.reverse_fields[back++].read_port;
                one.name += "_" + field.name;
                bindings_.push_back(std::move(one));
            }
    }

    /// Assigns ports to clock domains. With one clock, all ports are in its domain. With several,
    /// an output is in the domain of the clock whose registers it shows, and an input is left to
    /// the module.
    void place_ports(const VerilogModule& module, const std::vector<VerilogPort>& ports) {
        const std::vector<VerilogClock> clocks = module.known_clocks();
        const std::uint32_t first = clocks.empty() ? context_.domains.own : clocks[0].domain;
        const bool one = std::all_of(clocks.begin(), clocks.end(), [&](const VerilogClock& each) {
            return each.domain == first;
        });
        family_.domain = first;
        for (Port& port : family_.ports)
            port.domain = one ? first : no_domain;
        for (const VerilogBinding& binding : bindings_)
            if (!one && binding.output)
                place_output(binding, clocks, ports);
    }

    void place_output(const VerilogBinding& binding, const std::vector<VerilogClock>& clocks,
                      const std::vector<VerilogPort>& ports) {
        for (const VerilogPort& port : ports)
            for (const VerilogClock& clock : clocks)
                if (port.name == binding.name && port.clocks.size() == 1 &&
                    port.clocks[0] == clock.port.text)
                    for (std::uint64_t k = 0; k < binding.count; ++k)
                        family_.ports[binding.port + k].domain = clock.domain;
    }

    Context& context_;
    Diagnostics& diagnostics_;
    const ProcessSyntax& body_;
    const Shape shape_;
    ProcessFamily family_;
    std::shared_ptr<expr::ProcessView> text_;
    PortLoader ports_;
    FieldPorts fields_;
    std::vector<VerilogBinding> bindings_;
    std::set<std::string> names_;
    bool broken_ = false;
};

} // namespace

Unit load_verilog_process(Context& context, const ProcessSyntax& body, const std::string& name,
                          const Shape& shape) {
    return VerilogLoader{context, body, name, shape}.run();
}

} // namespace sme::yaml
