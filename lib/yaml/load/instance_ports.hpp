// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Binds the ports that a component declares to buses of `outer` (or constants), as given by the
/// sections in and out of the instance's `body`: they become the first buses of the scope `inside`.
/// `members` is the shape of the family of instances. False after an error was reported.
bool bind_instance_ports(const ComponentFile& component, const ProcessSyntax& body,
                         const Shape& members, Context& inside, Context& outer);

} // namespace sme::yaml
