// SPDX-License-Identifier: Apache-2.0
#include "session/run/run.hpp"

#include <optional>

#include "network/checks/check.hpp"

namespace sme::session {

Run::Run(const Graph& graph, const Analysis& analysis, const engine::Options& options,
         Diagnostics& diagnostics)
    : graph_{graph}, engine_{std::make_unique<engine::Engine>(graph, analysis, options,
                                                              diagnostics)},
      ok_{!diagnostics.has_errors()} {}

Run::Run(const Graph& graph, const engine::Options& options, Diagnostics& diagnostics)
    : graph_{graph} {
    const std::optional<Analysis> analysis = analyse(graph, diagnostics);
    if (!analysis || diagnostics.has_errors())
        return;
    engine_ = std::make_unique<engine::Engine>(graph, *analysis, options, diagnostics);
    ok_ = !diagnostics.has_errors();
}

Run::~Run() = default;

Outcome Run::outcome() const {
    return {engine_->ending(), engine_->cycle(), engine_->faults()};
}

Outcome Run::finish() {
    engine_->finish();
    return outcome();
}

} // namespace sme::session
