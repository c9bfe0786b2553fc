// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "runtime/observer.hpp"

namespace sme::validator {

/// Detects writes to memory that is mapped read-only. Lets the write proceed, and records it for
/// the thread that wrote.
///
/// While a guard exists, its SIGSEGV handler takes faults at these addresses and forwards others to
/// the previous handler.
class Guard {
public:
    /// Throws std::runtime_error if too many guards exist at a time (more than 16).
    explicit Guard(const std::array<Audited::Memory, 2>& memories);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    /// Returns the arena offset of the first byte that this thread wrote illegally since the last
    /// call.
    std::optional<std::size_t> take() const;

private:
    std::size_t place_;
};

} // namespace sme::validator
