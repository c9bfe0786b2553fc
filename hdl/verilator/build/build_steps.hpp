// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verilator/build/builder.hpp"
#include "verilator/build/installation.hpp"
#include "verilator/build/verilator_output.hpp"

namespace sme::verilator {

/// Builds the shared object of one module.
class BuildSteps {
public:
    BuildSteps(const Settings& settings, VerilogModule module, Diagnostics& diagnostics)
        : settings_{settings}, module_{std::move(module)}, diagnostics_{diagnostics} {}

    std::optional<std::string> run(const ModuleCache& kept, const std::string& identity,
                                   const Netlist& netlist);

private:
    struct Compilation {
        std::string source;
        std::string object;
        const char* optimisation;
        bool own = false; // the user's own source, in C or C++
    };

    bool write_sources(const std::string& folder, const VerilatorOutput& output);
    bool compile(const std::string& folder);
    bool link(const std::string& folder);
    /// Returns Verilator's runtime, compiled once for all modules; empty, with a problem, on
    /// failure. Runs on a separate thread, in parallel with the other steps.
    std::string runtime(const ModuleCache& kept, std::string& problem);
    std::string make_runtime(const ModuleCache& kept, const std::string& folder,
                             const std::string& identity);
    /// `what`: the reason and, from its second line on, the output of a program.
    std::optional<std::string> fail(const std::string& what);
    std::string told(std::string_view said) const;
    std::string run_compiler(const Compilation& one, const std::string& folder);
    std::string run_compilers(const std::vector<Compilation>& all, const std::string& folder);
    std::vector<std::string> flags(const std::string& folder) const;
    std::vector<std::string> own_flags(const Compilation& one, const std::string& folder) const;
    std::vector<std::string> files_read(const std::string& folder) const;

    const Settings& settings_;
    const VerilogModule module_;
    Diagnostics& diagnostics_;
    Installation verilator_;
    std::string runtime_;
    bool savable_ = false;
    std::vector<Compilation> compilations_;
};

} // namespace sme::verilator
