// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/board.hpp"

namespace sme::cli {

/// What a network costs on FPGAs.
struct SynthesisReport {
    std::string text;    // a few lines for each family of FPGAs
    std::string problem; // what kept it from being made; empty when nothing did
};

/// Synthesises a network that was written into a folder with Yosys for iCE40 and ECP5, or for a
/// board (null: none), counts cells, and places and routes them where nextpnr is there. What the
/// tools say is left in logs in the folder.
SynthesisReport report_synthesis(const std::string& folder, const hdl::Exported& exported,
                                 const hdl::Board* board);

/// The names of the files that it may leave in the folder.
std::vector<std::string> synthesis_files(const hdl::Exported& exported, const hdl::Board* board);

} // namespace sme::cli
