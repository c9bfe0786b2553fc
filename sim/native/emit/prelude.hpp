// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme::native {

/// What stands in front of all C that is written: types, the structs of abi.hpp, and what has no
/// operator in C.
std::string_view prelude();

} // namespace sme::native
