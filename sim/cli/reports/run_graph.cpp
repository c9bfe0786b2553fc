// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/run_graph.hpp"

namespace sme::cli {

int RunGraph::open(const Options& options, engine::Engine& engine) {
    if (options.graph.empty() && options.page.empty())
        return exit_code::fine;
    observer_ = std::make_unique<coverage::ActivityObserver>();
    engine.attach(*observer_);
    return options.graph.empty() ? exit_code::fine : file_.open(options.graph);
}

int RunGraph::write(const Loaded& loaded) {
    if (!file_.is_open())
        return exit_code::fine;
    DiagramOptions options;
    options.activity = activity();
    return file_.write(diagram_of(loaded.design.graph, loaded.analysis.writers, options));
}

} // namespace sme::cli
