// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// A module that is there, in Verilog.
struct Component {
    rtl::Module module;                       // its ports and parameters
    std::string path;                         // "work.filter_components.fir"
    std::map<std::string, std::string> names; // of its ports and parameters, in VHDL

    /// What a parameter is given, in VHDL.
    static std::string value(const rtl::ExprRef& given);
};

/// The type of a port of a component: std_logic or a vector of it, which all tools take.
std::string port_type(const rtl::Declared& port);

/// The modules that a network found there, as packages of components. A module whose ports follow
/// from its parameters is one component in each of several packages.
class Components {
public:
    /// `names` gives the packages theirs.
    Components(const Exported& exported, Names& names);

    std::vector<ExportedFile> files() const;
    /// What an instance is one of; null when that is a module that is written.
    const Component* of(const rtl::Instance& instance) const;

private:
    struct Package {
        std::string name;
        std::map<std::string, std::string> texts; // of components, by module
    };
    void add(const rtl::Module& module, const std::string& name, const std::string& wanted,
             Names& names);

    std::vector<Package> packages_;
    std::map<std::string, Component> all_; // by module and parameters
};

} // namespace sme::hdl::vhdl
