// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace sme::fuzz {

/// Runs `say` in a child process and returns its result, or the signal that ended the child. The
/// result passes through `file`. No other thread may run.
std::string said_by_child(const std::function<std::string()>& say, const std::string& file);

} // namespace sme::fuzz
