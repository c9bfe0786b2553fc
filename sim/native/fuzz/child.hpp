// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace sme::fuzz {

/// What `say` returns in a process of its own, or which signal ended that. `file` is where it comes
/// through. No other thread may run.
std::string said_by_child(const std::function<std::string()>& say, const std::string& file);

} // namespace sme::fuzz
