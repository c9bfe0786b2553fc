// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "debug/session.hpp"

namespace sme::cli {

/// Speaks the Debug Adapter Protocol on standard input and output until the client disconnects or
/// its pipe closes. `interrupt` ends a run. Returns the exit code.
int serve_dap(debug::Session& session, std::atomic<bool>& interrupt);

} // namespace sme::cli
