// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// Returns the difference if a bound value has the same bits as the port but other parts: elements
/// of an unpacked array, fields of a packed struct, members of an enumeration. Reads as in "has
/// ..., but ..."; empty if they agree, or one of them has no such parts.
std::string shape_difference(const BoundPort& bound, const ModulePort& port);

} // namespace sme::verilator
