// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/vhdl/expr_text.hpp"
#include "export/vhdl/module_text.hpp"

namespace sme::hdl::vhdl {

/// Writes an instance of a module. Ports that cannot be associated directly get an intermediate
/// signal: GHDL 2.0.0 crashes on converted slices in a port map, an output cannot be part of a
/// concatenation, and ports of components are vectors of std_logic.
class InstanceText {
public:
    /// `shown` is associated with the port `shown` of the module's copy; empty: the module itself.
    InstanceText(const rtl::Instance& instance, const Library& library, const Scope& scope,
                 Names& names, const std::string& shown);

    /// Declarations of the intermediate signals.
    std::string declarations(const std::string& indent) const;
    std::string text(const std::string& indent) const;

private:
    void connect(const rtl::Connection& connection, const rtl::Declared& port);
    void take_apart(const std::string& name, const rtl::ExprRef& to, const rtl::Declared& port);
    std::string between(const rtl::Declared& port);
    std::string generics() const;
    std::string formal(const std::string& name) const;
    bool is_vector(const rtl::Declared& port) const { return component_ && port.width > 1; }

    const rtl::Instance& instance_;
    const Component* component_; // null: a written module
    const rtl::Module& module_;
    bool clocked_late_ = false;
    const Scope& scope_;
    ExprText expr_;
    Names& names_;
    std::string shown_;
    std::vector<std::string> declared_;
    std::vector<std::string> assigned_;
    std::vector<std::string> ports_;
};

} // namespace sme::hdl::vhdl
