// SPDX-License-Identifier: Apache-2.0
//
// Uses any bytes as a network file: loads and analyses it; exports a small network as Verilog and
// runs it for a few cycles. The loader must not crash, hang or use much memory. Writes no files;
// looks for data files in a directory that does not exist. Prints what loads; the printed text must
// load and print to the same text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/codes.hpp"
#include "engine/engine.hpp"
#include "export/export.hpp"
#include "network/checks/check.hpp"
#include "session/run_loop.hpp"
#include "yaml/design.hpp"

namespace {

using namespace sme;

constexpr std::uint64_t cycles = 3;
constexpr std::uint64_t max_elements = 4096; // limit of buses and of processes to run
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 22;
constexpr std::uint64_t max_work = 5'000'000; // some seconds under sanitizers

bool is_small(const Graph& graph) {
    std::uint64_t bytes = 0;
    for (const BusFamily& bus : graph.buses)
        bytes += bus.count * bus.type->size() * (1 + bus.delay);
    for (const ProcessFamily& family : graph.processes)
        for (const Memory& memory : family.memories)
            bytes += family.count * memory.words * memory.element->size();
    return graph.bus_count() <= max_elements && graph.process_count() <= max_elements &&
           bytes <= max_bytes;
}

void run(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics) {
    session::Run run{graph, analysis, {}, diagnostics};
    if (!run.ok())
        return;
    run.engine().run(cycles);
    run.finish().fault_text();
}

/// Returns true if loading failed at a limit: files printed into one file are nested deeper, and
/// the cost of a network differs a little.
bool is_at_limit(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [](const auto& found) {
        return found.code == Code::too_large || found.code == Code::yaml_too_deep ||
               found.code == Code::yaml_too_many || found.code == Code::too_deep;
    });
}

yaml::LoadOptions options() {
    yaml::LoadOptions result;
    result.work = max_work;
    result.against = yaml::Against::components;
    return result;
}

void check_printed(const std::string& printed, const yaml::GroupFactories& kinds) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<Source>("printed.yaml", printed);
    std::string again;
    yaml::LoadOptions printing = options();
    printing.look = [&](const yaml::SourceView& network, const Graph&) { again = network.print(); };
    const bool loads = yaml::load(source, printing, kinds, diagnostics).has_value();
    if (loads ? again == printed : is_at_limit(diagnostics))
        return;
    std::fprintf(stderr, "printed:\n%s\nagain:\n%s\n%s", printed.c_str(),
                 loads ? again.c_str() : "", render(diagnostics).c_str());
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = std::make_shared<Source>(
        "no-such-folder/network.yaml", std::string{reinterpret_cast<const char*>(data), size});
    const yaml::GroupFactories kinds = session::factories_of_each(false);
    Diagnostics diagnostics;
    yaml::LoadOptions exporting = options();
    exporting.keep_bound = true;
    exporting.unrolled = true;
    exporting.work = max_work / (expr::Fuel::max_unrolled / expr::Fuel::usual_loops_from);
    std::string printed;
    exporting.look = [&](const yaml::SourceView& network, const Graph& graph) {
        printed = network.print();
        Diagnostics not_written;
        if (is_small(graph))
            hdl::export_network(network.describe(), graph, not_written);
        render(not_written);
    };
    if (const auto design = yaml::load(source, exporting, kinds, diagnostics)) {
        check_printed(printed, kinds);
        if (const auto analysis = analyse(design->graph, diagnostics))
            if (is_small(design->graph))
                run(design->graph, *analysis, diagnostics);
    }
    render(diagnostics);
    return 0;
}
