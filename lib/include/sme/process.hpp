// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sme/internal/ports.hpp"
#include "sme/values.hpp"

namespace sme {

template <class T> class Out;

/// The end of a bus that a process reads. The simulator makes it from `sme::in(bus)` and passes it
/// to the process's constructor. Four bytes; valid only inside a step of its simulator.
template <class T> class In {
public:
    /// Returns the value written in the previous cycle, `delay` cycles ago, or in this cycle for a
    /// wire. Faults on an `error` bus that was not written.
    T read() const {
        assert(internal::bases.read && "a port is read outside a step");
        if (internal::bases.checked) [[unlikely]]
            return read_checked();
        return internal::load<T>(internal::bases.read + offset_);
    }

    In() = default;
    /// Deleted: give a compile-time message for a wrong argument of `Network::add`.
    template <class U>
    requires(!std::is_same_v<U, T>) In(const In<U>&) {
        static_assert(internal::never<T, U>,
                      "the port In<T> of the process class is bound to a bus "
                      "of another type U");
    }
    template <class U> In(const Out<U>&) {
        static_assert(internal::never<T, U>, "the port In<T> of the process class is bound by "
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
        const std::byte* slot = internal::bases.read + (offset_ & ~internal::presence_flag);
        if (offset_ & internal::presence_flag)
            for (std::size_t k = 0; k < internal::leaf_count<T>(); ++k)
                if (internal::load<std::uint8_t>(slot + sizeof(T) + k) == 0)
                    internal::throw_read_unwritten();
        return internal::load<T>(slot);
    }

    std::uint32_t offset_ = 0;
};

/// The end of a bus that a process writes, made from `sme::out(bus)`. The last write of a cycle
/// wins. Four bytes; valid only inside a step of its simulator.
template <class T> class Out {
public:
    void write(const T& value) const {
        assert(internal::bases.write && "a port is written outside a step");
        if (internal::bases.checked) [[unlikely]]
            return write_checked(value);
        internal::store(internal::bases.write + offset_, value);
    }

    Out() = default;
    /// Deleted: give a compile-time message for a wrong argument of `Network::add`.
    template <class U>
    requires(!std::is_same_v<U, T>) Out(const Out<U>&) {
        static_assert(internal::never<T, U>,
                      "the port Out<T> of the process class is bound to a bus "
                      "of another type U");
    }
    template <class U> Out(const In<U>&) {
        static_assert(internal::never<T, U>, "the port Out<T> of the process class is bound by "
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
        std::byte* slot = internal::bases.write + (offset_ & ~internal::presence_flag);
        internal::store(slot, value);
        if (offset_ & internal::presence_flag)
            for (std::size_t k = 0; k < internal::leaf_count<T>(); ++k)
                internal::store(slot + sizeof(T) + k, std::uint8_t{1});
    }

    std::uint32_t offset_ = 0;
};

/// Lists the ports that a `comb()` reads and writes.
class CombinationalPorts {
public:
    template <class... T> CombinationalPorts& reads(const In<T>&... ports) {
        (reads_.push_back(ports.encoded_offset()), ...);
        return *this;
    }
    template <class... T> CombinationalPorts& writes(const Out<T>&... ports) {
        (writes_.push_back(ports.encoded_offset()), ...);
        return *this;
    }

    const std::vector<std::uint32_t>& reads() const { return reads_; }
    const std::vector<std::uint32_t>& writes() const { return writes_; }

private:
    std::vector<std::uint32_t> reads_;
    std::vector<std::uint32_t> writes_;
};

/// The base class of all processes.
///
/// A derived class takes its ports in its constructor and has `void step()`, which runs once a
/// cycle. A process that drives wires from other wires may also have `void comb() const`, which
/// changes no state, and `void comb_ports(sme::CombinationalPorts&) const`, which lists the ports
/// that `comb` uses. Then `comb` runs as soon as those inputs are known, and `step` when all inputs
/// are known. `comb_ports` is called once, on an object that never steps.
///
/// An exception that leaves `step` or `comb` is a model fault and ends the run.
class Process {
protected:
    /// Ends the run after this cycle. Call it from a step.
    void halt() const {
        if (!internal::bases.control)
            internal::throw_outside_step("halt()");
        internal::bases.control->halt();
    }
    /// Returns the number of the current cycle; the first is 0. Call it from a step.
    std::uint64_t cycle() const { return internal::bases.cycle; }
};

} // namespace sme
