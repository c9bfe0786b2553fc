// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "sme/network.hpp"

namespace sme::python {

/// A process in Python: in each cycle, `step` gets the values that it reads, and returns those that
/// it writes.
struct ProcessText {
    std::string name;
    std::vector<std::string> reads, writes; // buses, members of families, or whole families
    nanobind::object step;
};

/// The exception that a process in Python raised; empty if none did.
struct RaisedError {
    nanobind::object error;
};

/// Adds such a process to a network that has no simulator yet. Throws NetworkError.
void add_process(Network& network, const ProcessText& process,
                 const std::shared_ptr<RaisedError>& raised);

} // namespace sme::python
