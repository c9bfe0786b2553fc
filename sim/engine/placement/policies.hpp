// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sme/threads.hpp"

namespace sme::engine {

/// Calls visit(begin, end) for the chunks of each level.
void for_each_level(std::span<const Chunk> chunks,
                    const std::function<void(std::uint32_t, std::uint32_t)>& visit);

/// Longest chunk first, then communicating chunks together.
std::unique_ptr<Policy> optimizer();

} // namespace sme::engine
