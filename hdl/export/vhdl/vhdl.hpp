// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/export.hpp"

namespace sme::hdl::vhdl {

/// A network as VHDL-2008: a file for each module, in an order in which they can be analysed. The
/// first holds the package of functions that the others use; packages of components follow, where
/// processes are Verilog modules.
std::vector<ExportedFile> files(const Exported& exported);

/// The name of the bench, and of its file without its ending.
std::string bench_name(const Exported& exported);
/// The test bench that replays a run of `cycles` cycles. It sees inside through copies of those
/// modules that have instances.
std::string bench_text(const Exported& exported, std::uint64_t cycles);
/// The values that it reads: of each cycle those of all inputs and of all that is watched, a line
/// each. `values` are what `RunRecorder` gives for them.
ExportedFile bench_values(const std::vector<ExportedFile>& values);

} // namespace sme::hdl::vhdl
