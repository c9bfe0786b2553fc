// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/vhdl/components.hpp"
#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// What instances are of: all modules that are written, by name, and components.
struct Library {
    Library(const Exported& exported, Names& names);

    std::map<std::string, const rtl::Module*> modules;
    Components components;
};

/// What a module shows of its inside to a test bench, as one vector, the first leftmost: some
/// signals, and then what its instances show, in the order of the module.
struct Shown {
    std::vector<std::string> signals;          // of the module itself
    std::map<std::string, std::uint64_t> bits; // of instances, and of families of them by label
    std::uint64_t width = 0;                   // of all
};

/// One module as an entity and its architecture. With `shown` it is a copy, called
/// `inside_name(its name)`, with one more port, `shown`; so are those instances in it that show
/// something.
std::string module_text(const rtl::Module& module, const Library& library, Names names,
                        const Shown* shown = nullptr);
std::string inside_name(const std::string& module);

} // namespace sme::hdl::vhdl
