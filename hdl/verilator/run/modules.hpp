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
    /// Whether the network will run: modules are built to run, otherwise only read.
    enum class Purpose : std::uint8_t { look, run };

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

    /// A text that differs between modules of other options, tools or files; empty for a kind of
    /// process that is no module.
    std::string contents_of(const GroupFactory* kind) const;
    /// Tests whether the network has Verilog modules.
    bool any() const { return !known_.empty(); }

    /// Builds the module of an attached family, and adds buses for its traced inside signals.
    /// Building is slow: check for all other errors first. Returns true for a family of another
    /// kind, and false if it reported an error.
    bool build(ProcessFamily& family, Graph& graph, Diagnostics& diagnostics);
    /// Adds no buses for inside signals, because no observer shows them.
    void leave_inside_out() { inside_ = false; }
    /// Builds all families before a run. Returns true if it added buses.
    bool build_all(Graph& graph, Diagnostics& diagnostics);
    /// Makes the outputs of registers after the reset the initial values of their buses. Call it on
    /// the complete network. Returns false if it reported an error.
    bool start(Graph& graph, std::uint64_t clock_ps, std::uint64_t seed, Diagnostics& diagnostics);

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
