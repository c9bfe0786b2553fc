// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// An existing Verilog module.
struct Component {
    rtl::Module module;                       // its ports and parameters
    std::string path;                         // "work.filter_components.fir"
    std::map<std::string, std::string> names; // of its ports and parameters, in VHDL

    /// Returns the value of a parameter, in VHDL.
    static std::string value(const rtl::ExprRef& given);
};

/// Returns the type of a component's port: std_logic or std_logic_vector, which all tools accept.
std::string port_type(const rtl::Declared& port);

/// The existing modules of a network, as packages of components. A module whose ports depend on its
/// parameters is one component in each of several packages.
class Components {
public:
    /// `names` names the packages.
    Components(const Exported& exported, Names& names);

    std::vector<ExportedFile> files() const;
    /// Returns the component of an instance; null for a written module.
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
