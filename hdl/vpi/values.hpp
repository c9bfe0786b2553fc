// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <vpi_user.h>

#include "vpi/objects.hpp"

namespace sme::vpi {

/// Text that is valid until the 16th call after this one: callers combine several texts.
char* kept(std::string text);

/// A value given to an object, as bits; x and z, which the network does not have, are 0. Sets
/// `problem` if its format is not known.
std::string bits_of(const s_vpi_value& value, const Object& object);

/// Shows the bits of an object in the format that the value asks for, or sets `problem`.
void show_value(const Object& object, const std::string& bits, s_vpi_value& value);

} // namespace sme::vpi
