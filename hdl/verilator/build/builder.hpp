// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verilator/build/arguments.hpp"
#include "verilator/build/module_cache.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/build/verilator_output.hpp"

namespace sme::verilator {

struct OuterModule;
struct PortWrapper;

/// Inspects a module with Verilator, and builds it.
class Builder {
public:
    explicit Builder(const Settings& settings) : settings_{settings} {}

    /// Returns the dependencies of a module besides its sources, with these programs.
    std::string identity(const VerilogModule& module) const;

    /// Returns the netlist of a module, from Verilator. `nullopt` if it reported an error.
    std::optional<Netlist> inspect(const VerilogModule& module, Diagnostics& diagnostics) const;

    /// Returns the signals inside a module. `nullopt` if it reported an error.
    std::optional<std::vector<VerilogSignal>>
    signals(const VerilogModule& module, const Netlist& netlist, Diagnostics& diagnostics) const;
    /// Returns the netlist of an identity inspected before, built or not.
    std::optional<Netlist> kept_netlist(const std::string& identity) const;

    /// Returns the path of the module's shared object. If it is not cached, builds it and sets
    /// `built` to true. `nullopt` if it reported an error.
    std::optional<std::string> build(const VerilogModule& module, const Netlist& netlist,
                                     Diagnostics& diagnostics, bool& built) const;

    /// The same for a module with observed signals. If others of its signals were observed before,
    /// the build shows all of `inside`, so that further ones need no new build.
    std::optional<std::string> build_to_show(const VerilogModule& module,
                                             const std::vector<VerilogSignal>& inside,
                                             const Netlist& netlist, Diagnostics& diagnostics,
                                             bool& built) const;

private:
    /// Returns the module with the settings that apply to all modules.
    VerilogModule wanted(const VerilogModule& module) const;
    std::optional<Netlist> read(const VerilogModule& module, const std::string& folder,
                                Diagnostics& diagnostics) const;
    static void interrupted(const VerilogModule& module, Diagnostics& diagnostics);
    std::optional<Netlist> inspect_around(const VerilogModule& module, const std::string& folder,
                                          const std::string& said, Diagnostics& diagnostics) const;
    std::optional<Netlist> read_wrapped(const VerilogModule& module, const std::string& folder,
                                        const PortWrapper& wrapper, Diagnostics& diagnostics) const;
    std::optional<ElementTree> read_around(const VerilogModule& module, const OuterModule& outer,
                                           const std::string& text, bool flat, std::string& output,
                                           Diagnostics& diagnostics) const;
    bool can_build(const VerilogModule& module, Diagnostics& diagnostics) const;
    const Settings& settings_;
};

} // namespace sme::verilator
