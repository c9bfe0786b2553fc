// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "sme/internal/group.hpp"

namespace sme::internal {

/// False, but only on instantiation.
template <class...> inline constexpr bool never = false;

/// The arenas of the step that this thread runs; all null outside a step.
struct Bases {
    const std::byte* read = nullptr;
    std::byte* write = nullptr;
    std::uint64_t cycle = 0;
    Control* control = nullptr;
    bool checked = false; // a port of the group belongs to an `error` bus
};
extern constinit thread_local Bases bases;

/// In a checked group, this bit of a port's offset marks an `error` bus: the bytes after its value
/// tell for each scalar whether it was written.
inline constexpr std::uint32_t presence_flag = 1u << 31;

/// Throws the fault "read of an unwritten error bus".
[[noreturn]] void throw_read_unwritten();

[[noreturn]] void throw_outside_step(const char* what);

} // namespace sme::internal
