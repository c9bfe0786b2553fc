// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme {

enum class Severity { warning, error, fault };

/// The identity of a diagnostic. Only codes.hpp declares its members, so adding one recompiles only
/// the files that use members.
enum class Code : int;

} // namespace sme
