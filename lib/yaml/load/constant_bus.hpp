// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds buses with a constant value and no writer, for a port bound to a value instead of a bus.
/// `shape` is the shape of the bus family in the graph, `members` that of the instances, each of
/// which has `each` elements. `value` has been read without errors. Null after an error was
/// reported.
const BusFamily* add_constant_bus(const ValueSyntax& value, const std::string& port,
                                  std::string name, const TypeRef& type, Shape shape,
                                  const Shape& members, std::uint64_t each, Context& context);

/// Returns true if an input is bound to a value: a map, a list, or an expression that does not
/// begin with the name of a bus.
bool is_constant_value(const ValueSyntax& value, Context& context);

} // namespace sme::yaml
