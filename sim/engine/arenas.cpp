// SPDX-License-Identifier: Apache-2.0
#include "engine/arenas.hpp"

#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sme::engine {

namespace {

/// Maps the same fresh memory at both places; false when the system gives none.
bool map_twice(std::byte* one, std::byte* other, std::uint64_t bytes) {
    const int file = ::memfd_create("sme wires", MFD_CLOEXEC);
    if (file < 0)
        return false;
    const auto map = [&](std::byte* at) {
        return ::mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
               MAP_FAILED;
    };
    // posix_fallocate: a shortage shows here, not as a signal in the middle of a run
    const bool mapped = ::ftruncate(file, static_cast<off_t>(bytes)) == 0 &&
                        ::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0 && map(one) &&
                        map(other);
    ::close(file);
    return mapped;
}

} // namespace

Arenas::Arenas(std::uint64_t wires_begin, std::uint64_t bytes) : bytes_{bytes} {
    void* const both =
        ::mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED)
        throw std::bad_alloc{};
    first_ = static_cast<std::byte*>(both);
    if (wires_begin < bytes &&
        !map_twice(first() + wires_begin, second() + wires_begin, bytes - wires_begin)) {
        ::munmap(first_, 2 * bytes_);
        throw std::bad_alloc{};
    }
}

Arenas::~Arenas() {
    ::munmap(first_, 2 * bytes_);
}

} // namespace sme::engine
