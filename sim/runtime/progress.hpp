// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sme/group.hpp"

namespace sme {

/// Items of a schedule behind each other that can also be run in one go, by one thread. `run`
/// returns how many of them are done; the next is then run by itself, and so are those behind it.
struct FusedItems {
    std::uint32_t first_item;
    std::uint32_t end_item;
    std::function<std::uint32_t(const Frame&)> run;
};

/// Runs whole cycles, by one thread: at most so many from the one of the frame on, where the arenas
/// change places behind each. Returns how many are done; of the next nothing is. After the last one
/// the read arena holds what it would else, and wires hold anything.
using CycleKernel = std::function<std::uint64_t(const Frame&, std::uint64_t cycles)>;

} // namespace sme
