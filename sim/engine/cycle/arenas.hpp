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
    /// Both sizes are whole pages. `guarded`: all is mapped once more, to be read only. Throws
    /// std::bad_alloc when there is not enough memory.
    Arenas(std::uint64_t wires_begin, std::uint64_t bytes, bool guarded = false);
    ~Arenas();
    Arenas(const Arenas&) = delete;
    Arenas& operator=(const Arenas&) = delete;

    std::byte* first() const { return first_; }
    std::byte* second() const { return first_ + bytes_; }
    std::uint64_t bytes() const { return bytes_; }
    /// From a byte of an arena to where it is read; 0 unless they are guarded.
    std::ptrdiff_t to_read() const { return to_read_; }

private:
    bool map_guarded(std::uint64_t wires_begin);

    std::byte* first_ = nullptr;
    std::uint64_t bytes_;
    std::ptrdiff_t to_read_ = 0;
};

} // namespace sme::engine
