// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace sme::vcd {

/// Returns the number that a whole text is: decimal, infinity or NaN, without leading blanks and
/// '+', in any locale. `nullopt` for any other text. A number that a double cannot hold is infinity
/// or zero.
std::optional<double> real_number(std::string_view text);

} // namespace sme::vcd
