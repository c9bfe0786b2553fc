// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verilator/build/builder.hpp"
#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// The Verilog modules of a network.
class Modules final : public VerilogModules {
public:
    Modules(Settings settings, Purpose purpose)
        : settings_{limited(std::move(settings), purpose)}, builder_{settings_}, purpose_{purpose} {
    }

    const std::vector<VerilogPort>* ports(const VerilogModule& module,
                                          Diagnostics& diagnostics) override;
    bool attach(const VerilogModule& module, const std::vector<VerilogBinding>& bindings,
                ProcessFamily& family, Graph& graph, Diagnostics& diagnostics) override;

    const std::vector<VerilogSignal>* signals(const VerilogModule& module,
                                              Diagnostics& diagnostics) override;
    std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element, ProcessFamily& family,
                          Graph& graph) override;

    bool any() const override { return !known_.empty(); }
    std::string contents_of(const GroupFactory* kind) const override;

    /// Builds the module of an attached family, and adds buses for its traced inside signals.
    /// Returns true for a family of another kind, and false if it reported an error.
    bool build(ProcessFamily& family, Graph& graph, Diagnostics& diagnostics);
    void leave_inside_out() override { inside_ = false; }
    bool build_all(Graph& graph, Diagnostics& diagnostics) override;
    bool start(Graph& graph, std::uint64_t clock_ps, std::uint64_t seed,
               Diagnostics& diagnostics) override;

private:
    static Settings limited(Settings settings, Purpose purpose) {
        if (purpose == Purpose::look)
            settings.reading = looking_limit;
        return settings;
    }
    struct Known {
        Netlist netlist;
        std::vector<VerilogPort> ports;
        std::string object;                               // its path; empty: not built
        std::optional<std::vector<VerilogSignal>> inside; // once requested
        std::vector<std::string> seen;                    // `VerilogModule::seen` of all processes
        bool seen_arrays = false;
        bool usable = false;
        bool unsaid = false; // its warnings
    };
    Known* know(const VerilogModule& module, Diagnostics& diagnostics);
    std::shared_ptr<const Library> load(const VerilogModule& module, Known& known,
                                        Diagnostics& diagnostics);

    Settings settings_;
    Builder builder_;
    Purpose purpose_;
    bool inside_ = true;
    VerilogSources sources_;
    std::map<std::string, Known> known_;                           // by identity
    std::map<std::string, std::shared_ptr<const Library>> loaded_; // by object
    struct Attached {
        std::shared_ptr<ModulePlan> plan;
        Known* known;
    };
    std::map<const GroupFactory*, Attached> plans_;
};

} // namespace sme::verilator
