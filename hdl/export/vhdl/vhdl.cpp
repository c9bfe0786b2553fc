// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl.hpp"

#include <utility>

#include "export/vhdl/bits_package.hpp"
#include "export/vhdl/module_text.hpp"

namespace sme::hdl::vhdl {

std::vector<ExportedFile> files(const Exported& exported) {
    Names names{exported.trees};
    const Library library{exported, names};
    std::vector<ExportedFile> made{{"sme_bits.vhd", bits_package}};
    for (ExportedFile& package : library.components.files())
        made.push_back(std::move(package));
    for (const rtl::Module& module : exported.trees)
        made.push_back({(module.name == "sme_bits" ? "sme_bits_" : module.name) + ".vhd",
                        wrapped(module_text(module, library, names), "--")});
    return made;
}

} // namespace sme::hdl::vhdl
