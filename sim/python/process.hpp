// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "sme/compare.hpp"
#include "sme/network.hpp"

namespace sme::python {

/// A process in Python: in each cycle, `step` gets the values that it reads, and returns those that
/// it writes. Or one that is compiled: `code` does so.
struct ProcessText {
    /// `in` and `out` point to a pointer for each bus, `state` to bytes that only it uses.
    using Code = void(const void* const* in, void* const* out, void* state);

    std::string name;
    std::vector<std::string> reads, writes; // buses, members of families, or whole families
    nanobind::object step;
    Code* code = nullptr;
    std::size_t state_bytes = 0;
};

/// The exception that a process in Python raised; empty if none did.
struct RaisedError {
    nanobind::object error;
};

/// Adds such a process to a network that has no simulator yet. Throws NetworkError.
void add_process(Network& network, const ProcessText& process,
                 const std::shared_ptr<RaisedError>& raised);

/// Adds it as a second implementation: it writes copies of its buses, which are compared with them.
std::shared_ptr<const Agreement> add_against(Network& network, const ProcessText& process,
                                             const std::shared_ptr<RaisedError>& raised);

} // namespace sme::python
