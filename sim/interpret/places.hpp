// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interpret/block/evaluator.hpp"

namespace sme::interpret {

/// Where the ports and memories of a family lie.
SlotMap places_of(const Build& build);

} // namespace sme::interpret
