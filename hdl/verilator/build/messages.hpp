// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"

namespace sme::verilator {

/// Places in Verilog files, for messages. Reads each file once.
class VerilogSources {
public:
    /// Unknown when there is no such file or line.
    Location at(const std::string& path, unsigned line, unsigned column);

private:
    std::map<std::string, SourceRef> sources_;
};

/// Adds what Verilator said, with its places. Messages without one are about the module: then they
/// point to what the network says of it.
void add_messages(const std::string& text, const VerilogModule& module, VerilogSources& sources,
                  Diagnostics& diagnostics);

} // namespace sme::verilator
