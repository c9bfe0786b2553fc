// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interpret/observers/waits.hpp"

namespace sme::cli {

/// Where actors waited longest in so many cycles; empty when nobody counted.
std::string wait_report(const interpret::WaitCounts& counts, std::uint64_t cycles);

} // namespace sme::cli
