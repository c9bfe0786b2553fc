// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/verilog.hpp"
#include "verilator/build/verilator_output.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// The files that a module reads during the run ($readmemh, $fopen): from the working folder, else
/// beside the Verilog file that names them, else beside another file of the module.
class DataFiles {
public:
    DataFiles() = default;
    DataFiles(const VerilogModule& module, const Netlist& netlist);

    /// Returns the path of a file, or the name itself if the file does not exist.
    std::string find(const std::string& name) const;
    /// The digests of the files whose names are known before the run.
    std::string contents() const;
    /// Reports missing $readmemh files that are certain to be read, and names that match several
    /// files. Returns false if it reported an error.
    bool check(const VerilogModule& module, VerilogSources& sources,
               Diagnostics& diagnostics) const;

private:
    std::vector<MemoryFile> reads_;
    std::vector<std::string> folders_; // of the module's files
};

} // namespace sme::verilator
