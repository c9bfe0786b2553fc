// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "export/export.hpp"

namespace sme::cli {

/// Describes the files written into a folder, with a test bench of `cycles` cycles.
std::string export_summary(const hdl::Exported& exported, const std::string& folder,
                           std::uint64_t cycles);
/// Lists the parts of the network that were not exported: a line, or empty.
std::string left_out_line(const hdl::Exported& exported);

} // namespace sme::cli
