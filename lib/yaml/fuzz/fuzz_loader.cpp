// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a network file: loaded, analysed and, when the network is small, run for a few
// cycles. Nothing may crash, hang or take much memory. Nothing is written; data files are looked
// for in a folder that does not exist. What loads is printed, and what is printed loads and prints
// to the same text.
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
#include "engine/feeder.hpp"
#include "interpret/checks.hpp"
#include "interpret/evaluator.hpp"
#include "interpret/places.hpp"
#include "interpret/program_group.hpp"
#include "network/check.hpp"
#include "yaml/design.hpp"

namespace {

using namespace sme;

constexpr std::uint64_t cycles = 3;
constexpr std::uint64_t most_elements = 4096; // of buses and of processes in a network that is run
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 22;
constexpr std::uint64_t most_work = 5'000'000; // sanitizers make it some seconds

/// Evaluates what would be recorded, and drops it.
class DroppedRows final : public Group {
public:
    DroppedRows(std::shared_ptr<const expr::Recording> recording, const Build& build)
        : recording_{std::move(recording)}, places_{interpret::places_of(build)},
          evaluator_{recording_->program, recording_->program.parts[0], places_} {}

    void step(unsigned, Range, const Frame& frame) override {
        if (!recording_->reads_wire || frame.wires_settled)
            evaluator_.results(frame, values_);
    }

private:
    std::shared_ptr<const expr::Recording> recording_;
    interpret::Places places_;
    interpret::Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

class DroppedRowsKind final : public Kind {
public:
    explicit DroppedRowsKind(std::shared_ptr<const expr::Recording> recording)
        : recording_{std::move(recording)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return std::make_unique<DroppedRows>(recording_, build);
    }

private:
    std::shared_ptr<const expr::Recording> recording_;
};

bool is_small(const Graph& graph) {
    std::uint64_t bytes = 0;
    for (const BusFamily& bus : graph.buses)
        bytes += bus.count * bus.type->size() * (1 + bus.delay);
    for (const ProcessFamily& family : graph.processes)
        for (const Memory& memory : family.memories)
            bytes += family.count * memory.words * memory.element->size();
    return graph.bus_count() <= most_elements && graph.process_count() <= most_elements &&
           bytes <= most_bytes;
}

void run(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics) {
    engine::Engine engine{graph, analysis, {}, diagnostics};
    if (diagnostics.has_errors())
        return;
    engine.run(cycles);
    engine.finish();
    for (const Diagnostic& fault : engine.faults())
        render(fault);
}

/// Whether loading failed at a limit: files printed into one file are nested deeper, and what a
/// network costs differs a little.
bool is_at_limit(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [](const auto& found) {
        return found.code == Code::too_large || found.code == Code::yaml_too_deep ||
               found.code == Code::yaml_too_many || found.code == Code::too_deep;
    });
}

void check_printed(const std::string& printed, const yaml::Kinds& kinds) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<Source>("printed.yaml", printed);
    const auto again = yaml::load(source, {{}, most_work, {}, true}, kinds, diagnostics);
    if (again ? again->printed == printed : is_at_limit(diagnostics))
        return;
    std::fprintf(stderr, "printed:\n%s\nagain:\n%s\n%s", printed.c_str(),
                 again ? again->printed.c_str() : "", render(diagnostics).c_str());
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = std::make_shared<Source>(
        "no-such-folder/network.yaml", std::string{reinterpret_cast<const char*>(data), size});
    const auto verdicts = std::make_shared<interpret::Verdicts>();
    const yaml::Kinds kinds{interpret::program_kind, engine::feeder,
                            [&](std::shared_ptr<const expr::CheckSet> checks) {
                                return interpret::checks_kind(std::move(checks), verdicts);
                            },
                            [](std::shared_ptr<const expr::Recording> recording) {
                                return std::make_shared<DroppedRowsKind>(std::move(recording));
                            }};
    Diagnostics diagnostics;
    if (const auto design = yaml::load(source, {{}, most_work, {}, true}, kinds, diagnostics)) {
        check_printed(design->printed, kinds);
        if (const auto analysis = analyse(design->graph, diagnostics))
            if (is_small(design->graph))
                run(design->graph, *analysis, diagnostics);
    }
    render(diagnostics);
    return 0;
}
