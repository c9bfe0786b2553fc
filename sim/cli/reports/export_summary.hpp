// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "export/export.hpp"

namespace sme::cli {

/// What was written into a folder, with a test bench of so many cycles.
std::string export_summary(const hdl::Exported& exported, const std::string& folder,
                           std::uint64_t cycles);
/// What stands beside it in the network: a line, or nothing.
std::string left_out_line(const hdl::Exported& exported);

} // namespace sme::cli
