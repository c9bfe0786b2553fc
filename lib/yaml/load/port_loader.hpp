// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// The text bound to a port: "token", "token[k]".
struct Binding {
    const BusView* view = nullptr;
    std::vector<expr::AstRef> indices;
    expr::AstRef ast;
    Location where;
};

/// Resolves a binding. `nullopt` after an error; `broken` becomes true if it was reported before:
/// by the reader, or at the declaration of the bus.
std::optional<Binding> find_binding(const ValueSyntax& value, Context& context, bool& broken);

/// A port, or an array of ports, with the binding of each element.
struct BoundPort {
    const BusView* view = nullptr;
    Shape shape;                  // shape of the array
    std::vector<Segments> places; // for each element: family member → position in the view

    /// Maps, for one element of the array, instance · members + member to the bus element.
    Segments buses(const BusView& of, std::size_t element, const Context& context) const {
        return composed(of, places[element], context.around.count());
    }
};

/// Binds a port for all members of a family of processes or instances. `nullopt` after an error was
/// reported.
std::optional<BoundPort> bind_port(const expr::FamilyName& port, const Binding& binding,
                                   const Shape& members, Context& context);

/// Returns the port for a plain name in a list: it has the name of its bus.
expr::FamilyName port_named_as(const Binding& binding);

/// Loads the ports of a family of processes.
class PortLoader {
public:
    /// `members` is the shape of the family in its own scope.
    PortLoader(Context& context, const Shape& members, ProcessFamily& family,
               expr::ProcessView& text)
        : context_{context},
          diagnostics_{context.diagnostics}, members_{members}, family_{family}, text_{text} {}

    /// Adds the port of a process; its name has been declared. `closes`: the port of the channel
    /// whose `closed` it is, or empty.
    void add(const expr::FamilyName& name, const Binding& binding, bool output,
             const std::string& closes = {});
    /// Counts the scalars visible to a process; the number is limited because each becomes an
    /// operation.
    bool count_scalars(std::uint64_t more, const Location& where);

private:
    void set_beside(const expr::PortText& port, bool output, const expr::PortText& main,
                    bool main_output);
    std::uint32_t add_ports(const std::string& name, const BusView& view, const BoundPort& bound,
                            bool output, bool own);
    expr::PortText text_of(const std::string& name, const BusView& view, const BoundPort& bound,
                           bool output);

    Context& context_;
    Diagnostics& diagnostics_;
    const Shape& members_;
    ProcessFamily& family_;
    expr::ProcessView& text_;
    std::uint64_t scalars_ = 0;
};

} // namespace sme::yaml
