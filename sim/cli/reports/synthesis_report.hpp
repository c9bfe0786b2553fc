// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/board.hpp"
#include "export/export.hpp"

namespace sme::cli {

/// Describes the files written into a folder, with a test bench of `cycles` cycles.
std::string export_summary(const hdl::Exported& exported, const std::string& folder,
                           std::uint64_t cycles);
/// Lists the parts of the network that were not exported: a line, or empty.
std::string left_out_line(const hdl::Exported& exported);

/// The cost of a network on FPGAs.
struct SynthesisReport {
    std::string text;    // a few lines per FPGA family
    std::string problem; // why the report could not be created; empty on success
};

/// Synthesises an exported network with Yosys for iCE40 and ECP5, or for a board (null: no board).
/// Counts cells; places and routes the design if nextpnr is installed. Leaves the logs of the tools
/// in the folder.
SynthesisReport report_synthesis(const std::string& folder, const hdl::Exported& exported,
                                 const hdl::Board* board);

/// The files that `report_synthesis` may leave in the folder.
std::vector<std::string> synthesis_files(const hdl::Exported& exported, const hdl::Board* board);

} // namespace sme::cli
