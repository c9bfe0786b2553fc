// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// Where what a port is bound to has the same bits as the port, but other parts: elements of an
/// unpacked array, fields of a packed struct, members of an enumeration. As in "has ..., but ...";
/// empty: they agree, or one of them has no such parts.
std::string shape_difference(const BoundPort& bound, const ModulePort& port);

} // namespace sme::verilator
