// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/vhdl/components.hpp"
#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// The units of instances: all written modules, by name, and components.
struct Library {
    Library(const Exported& exported, Names& names);

    std::map<std::string, const rtl::Module*> modules;
    Components components;
};

/// The inside of a module that it shows to a test bench, as one vector, the first leftmost: some
/// signals, then the vectors that its instances show, in the order of the module.
struct Shown {
    std::vector<std::string> signals;          // of the module itself
    std::map<std::string, std::uint64_t> bits; // of instances by name, of families by label
    std::uint64_t width = 0;                   // total
};

/// Writes a module as an entity and its architecture. With `shown` it is a copy called
/// `inside_name(its name)` with one more port, `shown`, and so are its instances that show
/// something.
std::string module_text(const rtl::Module& module, const Library& library, Names names,
                        const Shown* shown = nullptr);
std::string inside_name(const std::string& module);

} // namespace sme::hdl::vhdl
