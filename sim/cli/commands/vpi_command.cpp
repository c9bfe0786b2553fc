// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/run_files.hpp"
#include "cli/commands/runs.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "export/export.hpp"
#include "lockstep/comparison.hpp"
#include "vpi/library.hpp"
#include "vpi/simulation.hpp"

namespace sme::cli {

namespace {

/// One call of the command.
class VpiCommand {
public:
    explicit VpiCommand(const Options& options) : options_{options} {}

    int carry_out() {
        if (options_.libraries.empty() && !options_.list) {
            report_error(Code::bad_option, "nothing says which library uses the network; give "
                                           "--library FILE, or --list to see its signals");
            return exit_code::usage;
        }
        LoadSettings settings;
        settings.keep_for_export();
        settings.evaluates_checks = settings.compares_outputs =
            false;             // the library judges the network
        settings.quiet = true; // it reads buses that no process reads
        settings.look = [&](const yaml::SourceView& network, const Graph& graph) {
            look(network.describe(), graph);
        };
        settings.change = [&](yaml::Design& design, VerilogModules&, Diagnostics& diagnostics) {
            for (const Diagnostic& each : found_.all())
                diagnostics.add(each.code, each.where, each.message).notes = each.notes;
            open(design.graph);
        };
        const LoadResult loaded =
            load_network(options_, VerilogModules::Purpose::run, std::move(settings));
        return loaded.network ? run(*loaded.network) : loaded.exit_code;
    }

private:
    /// The library drives what the network's inputs would feed.
    static void open(Graph& graph) {
        for (const ProcessFamily& process : graph.processes)
            for (const Port& port : process.ports)
                for (std::uint64_t k = 0; process.input && k < port.buses.size(); ++k)
                    for (BusFamily& bus : graph.buses)
                        if (static_cast<std::uint64_t>(port.buses.at(k)) - bus.first < bus.count) {
                            bus.initial.clear(); // of the first row
                            bus.has_initial = false;
                        }
        std::erase_if(graph.processes, [](const ProcessFamily& process) { return process.input; });
        lockstep::make_inputs(graph);
    }

    void look(const expr::ModuleView& network, const Graph& graph) {
        exported_ = hdl::export_network(network, graph, found_, {});
        for (const auto& [name, value] : network.parameters)
            parameters_.emplace_back(name, static_cast<std::int64_t>(value));
    }

    static void print(const vpi::Object& object) {
        using Role = vpi::Object::Role;
        if (object.role != Role::scope)
            fmt::print("{} {} {}\n", object.full_name,
                       object.role == Role::constant ? "parameter"
                       : object.role == Role::memory ? "memory"
                       : object.role == Role::array  ? "array"
                       : object.input                ? "input"
                       : object.wire || object.port  ? "wire"
                                                     : "register",
                       object.width);
        for (const vpi::Object* child : object.children)
            print(*child);
    }

    int run(const Loaded& loaded) {
        vpi::Objects objects{loaded.design.graph,
                             exported_,
                             parameters_,
                             {options_.members, options_.packed_structs}};
        if (options_.list) {
            print(*objects.top());
            return exit_code::fine;
        }
        catch_signals();
        engine::Options how;
        how.run = options_.run;
        how.run.threads = 1;
        how.halts = false; // the library decides how long it runs
        how.prints = &output_;
        Diagnostics diagnostics;
        RunTrace trace; // outlives the run
        session::Run run{loaded.design.graph, loaded.analysis, how, diagnostics};
        show(diagnostics);
        if (!run.ok())
            return exit_code::usage;
        engine::Engine& engine = run.engine();
        if (const int failed = trace.open(options_, loaded, engine, options_.trace);
            failed != exit_code::fine)
            return failed;
        vpi::Simulation simulation{loaded.design.graph, engine, objects, exported_.clocks,
                                   loaded.design.clock_ps};
        std::vector<std::string> words{"sme"};
        words.insert(words.end(), options_.plusargs.begin(), options_.plusargs.end());
        vpi::library_arguments().set(std::move(words));
        for (const std::string& library : options_.libraries)
            if (const std::string problem = vpi::start_library(library); !problem.empty()) {
                report_error(Code::bad_option, problem);
                return exit_code::usage;
            }
        simulation.run([] { return interrupted().load(); });
        const session::Outcome outcome = run.finish();
        output_.flush();
        if (outcome.has_faulted()) {
            show(outcome.faults);
            return exit_code_of(outcome);
        }
        if (interrupted())
            return signal_exit_code();
        if (simulation.starved()) {
            report_error(Code::deadlock, "the library waits for no later time, so the run cannot "
                                         "go on; is its clock running?");
            return exit_code::model_failed;
        }
        return exit_code::fine;
    }

    const Options& options_;
    Diagnostics found_;
    StandardOutput output_;
    hdl::Exported exported_;
    std::vector<std::pair<std::string, std::int64_t>> parameters_;
};

} // namespace

int vpi_command(const Options& options) {
    return VpiCommand{options}.carry_out();
}

} // namespace sme::cli
