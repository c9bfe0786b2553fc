// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/clock_rate.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Reads "every n" or "every n offset k", where n and k are constants. `nullopt` after an error was
/// reported.
std::optional<ClockRate> read_clock_rate(const Node& node, Context& context);

} // namespace sme::yaml
