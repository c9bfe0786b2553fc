// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sme::engine {

/// The two arenas of a run, zero at first. They differ up to `wires_begin`; from there on both are
/// one memory, mapped twice: what a writer of a wire puts into the write arena lies in the read
/// arena at once, so a port needs no second base and no branch.
class Arenas {
public:
    /// Both sizes are whole pages. Throws std::bad_alloc when there is not enough memory.
    Arenas(std::uint64_t wires_begin, std::uint64_t bytes);
    ~Arenas();
    Arenas(const Arenas&) = delete;
    Arenas& operator=(const Arenas&) = delete;

    std::byte* first() const { return first_; }
    std::byte* second() const { return first_ + bytes_; }

private:
    std::byte* first_ = nullptr;
    std::uint64_t bytes_;
};

} // namespace sme::engine
