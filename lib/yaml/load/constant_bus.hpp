// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds buses that nobody writes and that hold a value: what a port is bound to that is given a
/// value instead of a bus. `shape` is that of the family of buses in the graph, `members` that of
/// the instances, each of which has `each` elements. `value` could be read. Null when something was
/// reported.
const BusFamily* add_constant_bus(const ValueSyntax& value, const std::string& port,
                                  std::string name, const TypeRef& type, Shape shape,
                                  const Shape& members, std::uint64_t each, Context& context);

/// Whether what stands at an input is such a value: a map, a list, or an expression that begins
/// with the name of no bus.
bool is_constant_value(const ValueSyntax& value, Context& context);

} // namespace sme::yaml
