// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interpret/observers/waits.hpp"

namespace sme::cli {

/// Reports where actors waited longest in this number of cycles; empty if nothing was counted.
std::string wait_report(const interpret::WaitCounts& counts, std::uint64_t cycles);

} // namespace sme::cli
