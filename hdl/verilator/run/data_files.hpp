// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/verilog.hpp"
#include "verilator/build/messages.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// The files that a module reads while it runs ($readmemh, $fopen): in the working folder, else
/// beside the file of Verilog that names them, else beside another file of the module.
class DataFiles {
public:
    DataFiles() = default;
    DataFiles(const VerilogModule& module, const Netlist& netlist);

    /// The path of a file, or the name itself when there is none.
    std::string find(const std::string& name) const;
    /// Reports files of $readmemh that are not there, where it is known that they are read, and
    /// names that mean several files. False when something was reported.
    bool check(const VerilogModule& module, VerilogSources& sources,
               Diagnostics& diagnostics) const;

private:
    std::vector<MemoryFile> reads_;
    std::vector<std::string> folders_; // of the module's files
};

} // namespace sme::verilator
