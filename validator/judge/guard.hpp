// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "runtime/observer.hpp"

namespace sme::validator {

/// Notices writes into memory that is mapped to be read only. Such a write is let through, and
/// found where it was made: on the thread that made it.
///
/// While one lives, the program's handler of SIGSEGV is ours for these addresses; others go to the
/// handler that was there before.
class Guard {
public:
    /// Throws std::runtime_error when there are more guards than there can be at a time (16).
    explicit Guard(const std::array<Audited::Memory, 2>& memories);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    /// The offset in its arena of the first byte that this thread wrote there since the last call.
    std::optional<std::size_t> take() const;

private:
    std::size_t place_;
};

} // namespace sme::validator
