// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::debug {

/// The value of an expression in the last cycle.
struct ProbeValue {
    TypeRef type;
    std::vector<std::byte> slot; // laid out as on a bus of the type; empty without a value
    std::string problem;         // why there is no value

    bool is_true() const { return slot.size() == 1 && slot[0] != std::byte{0}; }
};

/// Creates the observer that evaluates a probe into `value`, which must outlive it.
std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value);

} // namespace sme::debug
