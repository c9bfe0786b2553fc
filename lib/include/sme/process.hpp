// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sme/ports.hpp"

namespace sme {

namespace detail {
[[noreturn]] void throw_outside_step(const char* what);
} // namespace detail

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
        if (!detail::bases.control)
            detail::throw_outside_step("halt()");
        detail::bases.control->halt();
    }
    /// Returns the number of the current cycle; the first is 0. Call it from a step.
    std::uint64_t cycle() const { return detail::bases.cycle; }
};

} // namespace sme
