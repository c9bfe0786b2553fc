// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "network/graph.hpp"

namespace sme::engine {

/// The two arenas of a run, initially zero. They differ up to `wires_begin`; from there on both are
/// the same memory, mapped twice. A wire written to the write arena is visible in the read arena at
/// once, so a port needs neither a second base nor a branch. WebAssembly maps no memory: there, one
/// thread copies the wires after each step.
class Arenas {
public:
    /// Both sizes are whole pages. `guarded`: also maps all memory read-only. Throws std::bad_alloc
    /// when memory is short.
    Arenas(std::uint64_t wires_begin, std::uint64_t bytes, bool guarded = false);
    ~Arenas();
    Arenas(const Arenas&) = delete;
    Arenas& operator=(const Arenas&) = delete;

    std::byte* first() const { return first_; }
    std::byte* second() const { return first_ + bytes_; }
    std::uint64_t bytes() const { return bytes_; }
    /// Distance from a byte of an arena to its read-only mapping; 0 unless guarded.
    std::ptrdiff_t to_read() const { return to_read_; }
    /// Makes wires that were written to the arena at `written` visible in the other one, if they
    /// are not the same memory. Call it after each step.
    void show_wires(const std::byte* written) const {
        if (wires_copied_ != 0) [[unlikely]]
            copy_wires(written);
    }

private:
    bool map_guarded(std::uint64_t wires_begin);
    void copy_wires(const std::byte* written) const;

    std::byte* first_ = nullptr;
    std::uint64_t bytes_;
    std::uint64_t wires_copied_ = 0; // bytes of wires that the arenas do not share
    std::ptrdiff_t to_read_ = 0;
};

/// Writes the initial slots of a run of elements of a family, as they are before cycle 0. The slot
/// of element k begins at memory[run.at(k)] and is marked as written.
void put_initial(const BusFamily& bus, const Segment& run, std::byte* memory);

} // namespace sme::engine
