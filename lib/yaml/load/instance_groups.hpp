// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Members of a family of instances that are the same component with the same parameters.
struct InstanceGroup {
    Shape shape;     // with these members only
    const Word* use; // the name of the component
    /// Of the first member: what its parameters are evaluated with. Empty when no parameter uses
    /// an index.
    std::map<std::string, Integer> indices{};
};

/// The groups of a family, in the order of their first members; a single instance is one group.
/// Nothing when something was reported.
std::vector<InstanceGroup> instance_groups(const Shape& shape, const ProcessSyntax& body,
                                           Context& outer);

} // namespace sme::yaml
