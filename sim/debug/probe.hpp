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

/// What an expression was in the last cycle that has run.
struct ProbeValue {
    TypeRef type;
    std::vector<std::byte> slot; // as a bus of the type holds it; empty: there is no value
    std::string problem;         // why

    bool is_true() const { return slot.size() == 1 && slot[0] != std::byte{0}; }
};

/// The observer that evaluates a probe into `value`, which must outlive it.
std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value);

} // namespace sme::debug
