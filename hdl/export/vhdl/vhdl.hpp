// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/export.hpp"

namespace sme::hdl::vhdl {

/// Writes a network as VHDL-2008: one file per module, in an order for analysis. The first file is
/// the package of functions that the others use; packages of components follow if processes are
/// Verilog modules.
std::vector<ExportedFile> files(const Exported& exported);

/// Returns the name of the test bench, and of its file without the extension.
std::string bench_name(const Exported& exported);
/// Returns the test bench that replays a run of `cycles` cycles. It observes the inside through
/// copies of the modules that have instances.
std::string bench_text(const Exported& exported, std::uint64_t cycles);
/// Returns the values that it reads: one line per value, in each cycle those of all inputs and of
/// all watched vectors. `values` are the files from `RunRecorder`.
ExportedFile bench_values(const std::vector<ExportedFile>& values);

} // namespace sme::hdl::vhdl
