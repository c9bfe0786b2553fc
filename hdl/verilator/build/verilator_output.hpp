// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// Positions in Verilog files, for messages. Reads each file once.
class VerilogSources {
public:
    /// Returns an unknown location if there is no such file or line.
    Location at(const std::string& path, unsigned line, unsigned column);

private:
    std::map<std::string, SourceRef> sources_;
};

/// Adds Verilator's messages with their positions. Messages without a position concern the module
/// and point to its definition in the network.
void add_messages(const std::string& text, const VerilogModule& module, VerilogSources& sources,
                  Diagnostics& diagnostics);

/// Names in Verilator's output; with several modules in one program each has its own.
struct OutputNames {
    std::string prefix = "Vmodule";   // of its classes and files
    std::string entry = "sme_module"; // the function that returns the abi
};

/// Verilator's output for a module: C++ in a folder.
struct VerilatorOutput {
    std::vector<std::string> fast; // source names without ".cpp": code that runs in every cycle
    std::vector<std::string> slow; // code that runs once
    std::string abi;               // the text of the module's abi
    std::string head;              // of each source: includes, then ports stop being macros

    /// Returns sources that include the fast ones, with small ones grouped, because their headers
    /// take longer to compile than their code. At least one.
    std::vector<std::string> fast_sources(const std::string& folder, std::size_t bytes) const;
    std::string slow_source() const;
    /// Returns the size of all sources together.
    std::uintmax_t bytes(const std::string& folder) const;
};

/// Runs Verilator to write C++ into a folder. `nullopt` if it reported an error.
std::optional<VerilatorOutput> run_verilator(const Settings& settings, const VerilogModule& module,
                                             const Netlist& netlist, const std::string& folder,
                                             const OutputNames& names, Diagnostics& diagnostics);

/// Adds the arguments with a module's sources, and writes the generated ones to a folder: the
/// wrapper, and the list `seen` of inside signals to keep ("*": all). Returns false if it reported
/// an error.
bool add_sources(const VerilogModule& module, const Netlist& netlist, const std::string& folder,
                 const std::vector<std::string>& seen, std::vector<std::string>& arguments,
                 Diagnostics& diagnostics);

/// Returns the files that Verilator read, from its dependency file in the folder.
std::vector<std::string> sources_read(const std::string& folder, const std::string& prefix,
                                      const VerilogModule& module);

/// Returns the prerequisites in a make rule that a compiler wrote.
std::vector<std::string> prerequisites(const std::string& path);

/// Returns false, with a problem, if the file cannot be written.
bool write_file(const std::string& path, const std::string& text, std::string& problem);

} // namespace sme::verilator
