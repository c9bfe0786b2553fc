// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "yaml/scope/context.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Members of a family of instances with the same component and the same parameters.
struct InstanceGroup {
    Shape shape;     // only these members
    const Word* use; // component name
    /// The indices of the first member, used to evaluate its parameters. Empty if no parameter uses
    /// an index.
    std::map<std::string, Integer> indices{};
};

/// Returns the groups of a family, in the order of their first members; a single instance is one
/// group. `nullopt` after an error was reported.
std::vector<InstanceGroup> instance_groups(const Shape& shape, const ProcessSyntax& body,
                                           Context& outer);

/// Binds the ports that a component declares to buses of `outer` (or constants), as given by the
/// sections in and out of the instance's `body`: they become the first buses of the scope `inside`.
/// `members` is the shape of the family of instances. False after an error was reported.
bool bind_instance_ports(const ComponentFile& component, const ProcessSyntax& body,
                         const Shape& members, Context& inside, Context& outer);

} // namespace sme::yaml
