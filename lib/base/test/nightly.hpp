// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sme::test {

/// Whether every case is tested, as `tools/test --nightly` asks; a change is tested with some of
/// each kind.
inline bool is_nightly() {
    static const bool asked = std::getenv("SME_NIGHTLY") != nullptr;
    return asked;
}

/// The number of cases to test: `all` of them at night, else `some`.
inline std::uint64_t cases(std::uint64_t some, std::uint64_t all) {
    return is_nightly() ? all : some;
}

} // namespace sme::test
