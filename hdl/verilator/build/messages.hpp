// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"

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

} // namespace sme::verilator
