// SPDX-License-Identifier: Apache-2.0
//
// SystemC platforms in tests: what stands on the kernel lives in one case, and the kernel begins
// anew for the next.
#pragma once

#include <string>

#include <doctest/doctest.h>
#include <systemc>

#include "base/test/scratch.hpp"
#include "engine/feeder.hpp"
#include "interpret/checks.hpp"
#include "interpret/program_group.hpp"
#include "interpret/recorder.hpp"
#include "network/graph.hpp"
#include "yaml/design.hpp"

namespace sme::test {

/// Declared before all SystemC objects of a case.
class Platform {
public:
    Platform() = default;
    ~Platform() { sc_core::sc_get_curr_simcontext()->reset(); }
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;
};

/// A loaded network with its checks; its data files lie beside `path`.
inline Graph graph_of(const SourceRef& source) {
    const yaml::Kinds kinds{
        interpret::program_kind, engine::feeder,
        [](std::shared_ptr<const expr::CheckSet> checks) {
            return interpret::checks_kind(std::move(checks),
                                          std::make_shared<interpret::Verdicts>());
        },
        [](std::shared_ptr<const expr::Recording> recording) {
            return interpret::recorder_kind(
                std::make_shared<interpret::RecordingFile>(std::move(recording)));
        }};
    Diagnostics diagnostics;
    yaml::LoadOptions options;
    options.library = SME_SOURCE_DIR "/lib";
    std::optional<yaml::Design> design = yaml::load(source, options, kinds, diagnostics);
    INFO(render(diagnostics));
    REQUIRE(design);
    return std::move(design->graph);
}

} // namespace sme::test
