// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// The observer that ends the run after the first cycle in which its condition holds.
std::shared_ptr<const GroupFactory> halt_factory(std::shared_ptr<const expr::HaltCondition> halt);

} // namespace sme::interpret
