// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// What an observer of a value does with it in each cycle: bytes as a bus of the type holds them,
/// or none and why there is no value.
using TakeValue = std::function<void(std::span<const std::byte> slot, const std::string& problem)>;

/// The observer that evaluates a probe. Its faults are none of the network.
std::shared_ptr<const GroupFactory> value_factory(std::shared_ptr<const expr::Probe> probe,
                                                  TakeValue take);

} // namespace sme::interpret
