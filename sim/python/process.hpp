// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "sme/network.hpp"

namespace sme::python {

/// A process in Python: in each cycle, `step` is called with what it reads, and returns what it
/// writes.
struct ProcessText {
    std::string name;
    std::vector<std::string> reads, writes; // buses, members of families, or whole families
    nanobind::object step;
};

/// The exception that a process in Python raised; empty if none did.
struct RaisedError {
    nanobind::object error;
};

/// Adds such a process to a network, before a simulator is made of it. Throws NetworkError.
void add_process(Network& network, const ProcessText& process,
                 const std::shared_ptr<RaisedError>& raised);

} // namespace sme::python
