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

/// The callback of an observer of a value, called in each cycle with the bytes of the value as in a
/// bus slot, or with no bytes and the reason.
using TakeValue = std::function<void(std::span<const std::byte> slot, const std::string& problem)>;

/// The observer that evaluates a probe. Its faults are not faults of the network.
std::shared_ptr<const GroupFactory> value_factory(std::shared_ptr<const expr::Probe> probe,
                                                  TakeValue take);

} // namespace sme::interpret
