// SPDX-License-Identifier: Apache-2.0
//
// Uses bytes as the choices of the generator of well-typed networks. Each network loads, runs as
// computed, and so does the network printed from it. Writes no files.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "engine/engine.hpp"
#include "network/checks/check.hpp"
#include "session/run_loop.hpp"
#include "yaml/fuzz/make/network_maker.hpp"

namespace {

using namespace sme;

[[noreturn]] void fail(const std::string& what, const std::string& network) {
    std::fprintf(stderr, "%s\nin this network:\n%s\n", what.c_str(), network.c_str());
    std::abort();
}

/// Returns the results of checks and faults as text; fails if a computed check does not hold.
std::string run(const std::string& text, unsigned cycles, bool may_fault, std::string& printed) {
    session::Observed observed;
    yaml::GroupFactories kinds = session::factories(observed);
    kinds.recording = [](const auto&) { return nullptr; };
    Diagnostics diagnostics;
    yaml::LoadOptions options;
    options.library = SME_FUZZ_LIBRARY;
    options.look = [&](const yaml::SourceView& network, const Graph&) {
        printed = network.print();
    };
    const auto design =
        yaml::load(std::make_shared<Source>("network.yaml", text), options, kinds, diagnostics);
    if (!design || diagnostics.has_errors())
        fail(render(diagnostics), text);
    session::Run run{design->graph, {}, diagnostics};
    if (!run.ok())
        fail(render(diagnostics), text);
    run.engine().run(cycles);
    const session::Outcome outcome = run.finish();
    const RunEnd ending = outcome.end;
    std::string shown = std::to_string(static_cast<int>(ending)) + "\n";
    for (const Diagnostic& fault : outcome.faults)
        shown += fault.message + "\n";
    for (std::size_t k = 0; k < observed.verdicts->size(); ++k) {
        const interpret::Verdict& verdict = (*observed.verdicts)[k];
        shown += std::to_string(static_cast<int>(verdict.kind)) + " ";
        if (verdict.kind == CheckResult::Kind::failed)
            fail("this does not hold: " + design->checks->checks[k].text, text);
    }
    if (!may_fault && ending != RunEnd::completed)
        fail("this run should have come to its end: " + shown, text);
    return shown;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Choices choices{data, size};
    const fuzz::Generated network = fuzz::generate(choices, false);
    std::string printed, again;
    const std::string first = run(network.text, network.cycles, network.may_fault, printed);
    if (run(printed, network.cycles, network.may_fault, again) != first || again != printed)
        fail("printed, it is another network:\n" + printed, network.text);
    return 0;
}
