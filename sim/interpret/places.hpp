// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interpret/block/evaluator.hpp"

namespace sme::interpret {

/// The addresses of the ports and memories of a family.
SlotMap places_of(const Build& build);

} // namespace sme::interpret
