// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme {

enum class Severity { warning, error, fault };

/// What a diagnostic is about. Its members stand in codes.hpp, for those who name one: adding a
/// member compiles only these again.
enum class Code : int;

} // namespace sme
