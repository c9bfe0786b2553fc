// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/vhdl/bits_package.hpp"
#include "export/vhdl/module_text.hpp"

namespace sme::hdl::vhdl {

std::vector<ExportedFile> files(const Exported& exported, Diagnostics& diagnostics,
                                const Location& network) {
    if (!exported.sources.empty()) {
        diagnostics.add(
            Code::bad_call, network,
            fmt::format("'{}' holds a Verilog module ('{}'), which cannot be written as "
                        "VHDL; write the part that holds none, with --top, or the whole "
                        "network with 'sme verilog'",
                        exported.top, exported.sources[0].name));
        return {};
    }
    ModuleMap modules;
    for (const rtl::Module& module : exported.trees)
        modules[module.name] = &module;
    const Names names{exported.trees};
    std::vector<ExportedFile> made{{"sme_bits.vhd", bits_package}};
    for (const rtl::Module& module : exported.trees)
        made.push_back({(module.name == "sme_bits" ? "sme_bits_" : module.name) + ".vhd",
                        wrapped(module_text(module, modules, names), "--")});
    return made;
}

} // namespace sme::hdl::vhdl
