// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace sme::fst {

// Where the files of a confined process are.
constexpr int file_at = 3, text_at = 4, names_at = 5;

/// Leaves this process, a child of its own, three files (-1 for none, in the order above), some
/// memory, and the system calls that reading and writing them needs: it can open, start and send
/// nothing, whatever code runs in it. Calls `look` each time it has computed for that long.
/// Signals that end a group of processes do not end it; the end of its parent does.
void confine(std::array<int, 3> files, std::uint64_t file_bytes, void (*look)(int),
             std::chrono::milliseconds each);

} // namespace sme::fst
