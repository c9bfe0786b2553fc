// SPDX-License-Identifier: Apache-2.0
//
// In place of arenas.cpp in WebAssembly, which maps no memory.
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "engine/slots/arenas.hpp"

namespace sme::engine {

/// An auditor needs read-only memory, which does not exist here.
Arenas::Arenas(std::uint64_t wires_begin, std::uint64_t bytes, bool guarded)
    : bytes_{bytes}, wires_copied_{bytes - wires_begin} {
    constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max() / 2;
    if (guarded || bytes > most)
        throw std::bad_alloc{};
    first_ = static_cast<std::byte*>(std::calloc(2, static_cast<std::size_t>(bytes)));
    if (!first_)
        throw std::bad_alloc{};
}

void Arenas::copy_wires(const std::byte* written) const {
    std::byte* const other = written == first() ? second() : first();
    const auto wires = static_cast<std::size_t>(wires_copied_);
    const auto begin = static_cast<std::size_t>(bytes_) - wires;
    std::memcpy(other + begin, written + begin, wires);
}

Arenas::~Arenas() {
    std::free(first_);
}

} // namespace sme::engine
