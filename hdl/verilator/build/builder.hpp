// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verilator/build/module_cache.hpp"
#include "verilator/build/messages.hpp"
#include "verilator/build/settings.hpp"

namespace sme::verilator {

struct OuterModule;
struct PortWrapper;

/// Asks Verilator what a module is, and builds it.
class Builder {
public:
    explicit Builder(const Settings& settings) : settings_{settings} {}

    /// What a module depends on beside its sources: with these programs.
    std::string identity(const VerilogModule& module) const;

    /// The netlist of a module, from Verilator. Nothing when something was reported.
    std::optional<Netlist> inspect(const VerilogModule& module, Diagnostics& diagnostics) const;

    /// The signals inside a module. Nothing when something was reported.
    std::optional<std::vector<VerilogSignal>> signals(const VerilogModule& module,
                                                      const Netlist& netlist,
                                                      Diagnostics& diagnostics) const;
    /// The netlist that is kept with the signals of a module of an identity: there may be one where
    /// the module itself was built only with signals that are looked at.
    std::optional<Netlist> kept_netlist(const std::string& identity) const;

    /// The path of the shared object of a module, which is built when it is not kept already; then
    /// `built` becomes true. Nothing when something was reported.
    std::optional<std::string> build(const VerilogModule& module, const Netlist& netlist,
                                     Diagnostics& diagnostics, bool& built) const;

    /// The same for a module of which signals are looked at. Where others of them were looked at
    /// before, it shows all of `inside`, so that the next ones need no build.
    std::optional<std::string> build_to_show(const VerilogModule& module,
                                             const std::vector<VerilogSignal>& inside,
                                             const Netlist& netlist, Diagnostics& diagnostics,
                                             bool& built) const;

private:
    /// The module with what the settings ask of all.
    VerilogModule wanted(const VerilogModule& module) const;
    std::optional<Netlist> inspect_around(const VerilogModule& module, const std::string& folder,
                                          const std::string& said, Diagnostics& diagnostics) const;
    std::optional<Netlist> read_wrapped(const VerilogModule& module, const std::string& folder,
                                        const PortWrapper& wrapper,
                                        Diagnostics& diagnostics) const;
    std::optional<ElementTree> read_around(const VerilogModule& module, const OuterModule& outer,
                                           const std::string& text, bool flat, std::string& output,
                                           Diagnostics& diagnostics) const;
    bool can_build(const VerilogModule& module, Diagnostics& diagnostics) const;
    const Settings& settings_;
};

} // namespace sme::verilator
