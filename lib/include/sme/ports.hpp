// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sme/group.hpp"
#include "sme/values.hpp"

namespace sme {

template <class T> class In;
template <class T> class Out;

namespace detail {

/// False, but only on instantiation.
template <class...> inline constexpr bool never = false;

/// The arenas of the step that this thread runs; all null outside a step.
struct Bases {
    const std::byte* read = nullptr;
    std::byte* write = nullptr;
    std::uint64_t cycle = 0;
    Control* control = nullptr;
    bool checked = false; // a port of the group belongs to an `error` bus
};
extern constinit thread_local Bases bases;

/// In a checked group, this bit of a port's offset marks an `error` bus: the bytes after its value
/// tell for each scalar whether it was written.
inline constexpr std::uint32_t presence_flag = 1u << 31;

/// Throws the fault "read of an unwritten error bus".
[[noreturn]] void throw_read_unwritten();

} // namespace detail

/// The end of a bus that a process reads. The simulator makes it from `sme::in(bus)` and passes it
/// to the process's constructor. Four bytes; valid only inside a step of its simulator.
template <class T> class In {
public:
    /// Returns the value written in the previous cycle, `delay` cycles ago, or in this cycle for a
    /// wire. Faults on an `error` bus that was not written.
    T read() const {
        assert(detail::bases.read && "a port is read outside a step");
        if (detail::bases.checked) [[unlikely]]
            return read_checked();
        return detail::load<T>(detail::bases.read + offset_);
    }

    In() = default;
    /// Deleted: give a compile-time message for a wrong argument of `Network::add`.
    template <class U>
    requires(!std::is_same_v<U, T>) In(const In<U>&) {
        static_assert(detail::never<T, U>, "the port In<T> of the process class is bound to a bus "
                                           "of another type U");
    }
    template <class U> In(const Out<U>&) {
        static_assert(detail::never<T, U>, "the port In<T> of the process class is bound by "
                                           "sme::out; write sme::in");
    }

    /// For the simulator only.
    static In at(std::uint32_t encoded_offset) {
        In port;
        port.offset_ = encoded_offset;
        return port;
    }
    std::uint32_t encoded_offset() const { return offset_; }

private:
    T read_checked() const {
        const std::byte* slot = detail::bases.read + (offset_ & ~detail::presence_flag);
        if (offset_ & detail::presence_flag)
            for (std::size_t k = 0; k < detail::leaf_count<T>(); ++k)
                if (detail::load<std::uint8_t>(slot + sizeof(T) + k) == 0)
                    detail::throw_read_unwritten();
        return detail::load<T>(slot);
    }

    std::uint32_t offset_ = 0;
};

/// The end of a bus that a process writes, made from `sme::out(bus)`. The last write of a cycle
/// wins. Four bytes; valid only inside a step of its simulator.
template <class T> class Out {
public:
    void write(const T& value) const {
        assert(detail::bases.write && "a port is written outside a step");
        if (detail::bases.checked) [[unlikely]]
            return write_checked(value);
        detail::store(detail::bases.write + offset_, value);
    }

    Out() = default;
    /// Deleted: give a compile-time message for a wrong argument of `Network::add`.
    template <class U>
    requires(!std::is_same_v<U, T>) Out(const Out<U>&) {
        static_assert(detail::never<T, U>, "the port Out<T> of the process class is bound to a bus "
                                           "of another type U");
    }
    template <class U> Out(const In<U>&) {
        static_assert(detail::never<T, U>, "the port Out<T> of the process class is bound by "
                                           "sme::in; write sme::out");
    }

    /// For the simulator only.
    static Out at(std::uint32_t encoded_offset) {
        Out port;
        port.offset_ = encoded_offset;
        return port;
    }
    std::uint32_t encoded_offset() const { return offset_; }

private:
    void write_checked(const T& value) const {
        std::byte* slot = detail::bases.write + (offset_ & ~detail::presence_flag);
        detail::store(slot, value);
        if (offset_ & detail::presence_flag)
            for (std::size_t k = 0; k < detail::leaf_count<T>(); ++k)
                detail::store(slot + sizeof(T) + k, std::uint8_t{1});
    }

    std::uint32_t offset_ = 0;
};

} // namespace sme
