// SPDX-License-Identifier: Apache-2.0
#include "engine/slots/arenas.hpp"

#include <cerrno>
#include <initializer_list>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sme::engine {

namespace {

/// Reserves the memory now, so that a shortage shows here and not as a signal during the run.
/// Retries when a caught signal interrupts the call.
bool allocate(int file, std::uint64_t bytes) {
    int failed = EINTR;
    while (failed == EINTR)
        failed = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    return failed == 0;
}

/// Creates fresh memory that can be mapped more than once; -1 if the system refuses.
int memory_file(std::uint64_t bytes) {
    const int file = ::memfd_create("sme arenas", MFD_CLOEXEC);
    if (file >= 0 &&
        (::ftruncate(file, static_cast<off_t>(bytes)) != 0 || !allocate(file, bytes))) {
        ::close(file);
        return -1;
    }
    return file;
}

bool map_file(int file, std::uint64_t from, std::byte* at, std::uint64_t bytes, int rights) {
    return bytes == 0 || ::mmap(at, bytes, rights, MAP_SHARED | MAP_FIXED, file,
                                static_cast<off_t>(from)) != MAP_FAILED;
}

/// Maps the same fresh memory at both addresses; false if the system refuses.
bool map_twice(std::byte* one, std::byte* other, std::uint64_t bytes) {
    const int file = memory_file(bytes);
    if (file < 0)
        return false;
    constexpr int both = PROT_READ | PROT_WRITE;
    const bool mapped =
        map_file(file, 0, one, bytes, both) && map_file(file, 0, other, bytes, both);
    ::close(file);
    return mapped;
}

} // namespace

Arenas::Arenas(std::uint64_t wires_begin, std::uint64_t bytes, bool guarded) : bytes_{bytes} {
    const std::uint64_t reserved = (guarded ? 4 : 2) * bytes;
    void* const all =
        ::mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        throw std::bad_alloc{};
    first_ = static_cast<std::byte*>(all);
    const bool mapped =
        guarded ? map_guarded(wires_begin)
                : wires_begin == bytes ||
                      map_twice(first() + wires_begin, second() + wires_begin, bytes - wires_begin);
    if (!mapped) {
        ::munmap(first_, reserved);
        throw std::bad_alloc{};
    }
}

/// The file holds the registered slots of the first arena, those of the second, then the wires.
bool Arenas::map_guarded(std::uint64_t wires_begin) {
    const std::uint64_t wires = bytes_ - wires_begin;
    const int file = memory_file(2 * wires_begin + wires);
    if (file < 0)
        return false;
    to_read_ = static_cast<std::ptrdiff_t>(2 * bytes_);
    bool mapped = true;
    for (const bool reading : {false, true})
        for (const std::uint64_t arena : {std::uint64_t{0}, std::uint64_t{1}}) {
            std::byte* const at = first_ + arena * bytes_ + (reading ? to_read_ : 0);
            const int rights = reading ? PROT_READ : PROT_READ | PROT_WRITE;
            mapped = mapped && map_file(file, arena * wires_begin, at, wires_begin, rights) &&
                     map_file(file, 2 * wires_begin, at + wires_begin, wires, rights);
        }
    ::close(file);
    return mapped;
}

/// The arenas share all wires.
void Arenas::copy_wires(const std::byte*) const {}

Arenas::~Arenas() {
    ::munmap(first_, (to_read_ ? 4 : 2) * bytes_);
}

} // namespace sme::engine
