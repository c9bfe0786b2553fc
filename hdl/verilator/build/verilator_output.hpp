// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"
#include "verilator/inspect/netlist.hpp"
#include "verilator/build/settings.hpp"

namespace sme::verilator {

/// Names in what Verilator writes; with several modules in one program each has its own.
struct OutputNames {
    std::string prefix = "Vmodule";   // of its classes and files
    std::string entry = "sme_module"; // the function that gives the face
};

/// What Verilator made of a module: C++ in a folder.
struct VerilatorOutput {
    std::vector<std::string> fast; // names of sources, without ".cpp": what runs in every cycle
    std::vector<std::string> slow; // what runs once
    std::string face;              // the text of the module's face

    /// Sources that include the fast ones, several small ones together: their headers take longer
    /// than they do. At least one.
    std::vector<std::string> fast_sources(const std::string& folder, std::size_t bytes) const;
    std::string slow_source() const;
    /// Of all sources together.
    std::uintmax_t bytes(const std::string& folder) const;
};

/// Lets Verilator write C++ into a folder. Nothing when something was reported.
std::optional<VerilatorOutput> run_verilator(const Settings& settings, const VerilogModule& module,
                                             const Netlist& netlist, const std::string& folder,
                                             const OutputNames& names, Diagnostics& diagnostics);

/// What names the sources of a module to Verilator, those that are made of it written to a folder:
/// the module around it, and the list of signals inside that are kept, `seen`, with "*" for all.
/// False when something was reported.
bool add_sources(const VerilogModule& module, const Netlist& netlist, const std::string& folder,
                 const std::vector<std::string>& seen, std::vector<std::string>& arguments,
                 Diagnostics& diagnostics);

/// The files that Verilator has read, from what it notes for make in the folder.
std::vector<std::string> sources_read(const std::string& folder, const std::string& prefix,
                                      const VerilogModule& module);

/// What a rule of make that a compiler wrote says that its target depends on.
std::vector<std::string> prerequisites(const std::string& path);

/// False, with a problem, when it cannot be written.
bool write_file(const std::string& path, const std::string& text, std::string& problem);

} // namespace sme::verilator
