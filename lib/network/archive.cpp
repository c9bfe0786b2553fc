// SPDX-License-Identifier: Apache-2.0
#include "sme/archive.hpp"

#include <fmt/format.h>

namespace sme {

Archive::~Archive() = default;

std::uint64_t Archive::count(std::uint64_t own) {
    bytes(&own, sizeof own);
    if (!saves() && own > left())
        throw CheckpointError{
            fmt::format("it says {} elements, but only {} bytes follow", own, left())};
    return own;
}

} // namespace sme
