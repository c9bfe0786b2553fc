// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme::native {

/// The beginning of every C file: types, the structs of abi.hpp, and operations without a C
/// operator.
std::string_view prelude();

} // namespace sme::native
