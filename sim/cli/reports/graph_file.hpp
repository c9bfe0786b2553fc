// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/loading.hpp"
#include "coverage/activity_observer.hpp"
#include "engine/engine.hpp"
#include "network/picture/diagram.hpp"

namespace sme::cli {

/// Runs a program that reads a text from standard input and writes SVG to standard output. Returns
/// `nullopt` if it fails; `failed` is then the exit code: that of a signal, or the one that
/// `report_error` returns for a problem.
std::optional<std::string> drawn_by(const std::string& program,
                                    const std::vector<std::string>& arguments,
                                    const std::string& text,
                                    int (*report_error)(const std::string& problem), int& failed);

/// A graph file, as DOT or, drawn by Graphviz, as SVG.
class GraphFile {
public:
    /// Claims the file early, to report write errors before the run. Returns `fine`, or the exit
    /// code after reporting the error.
    int open(const std::string& path);
    bool is_open() const { return file_.has_value(); }
    /// Returns `fine`, or the exit code after reporting the error.
    int write(const Diagram& diagram);

private:
    std::optional<OutputFile> file_;
};

/// The activity of buses in a run: counted for --graph or --report, drawn into the file of --graph.
class RunGraph {
public:
    /// Call before the first cycle. Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options, engine::Engine& engine);
    /// Call after the run; null if not counted.
    const Activity* activity() const { return observer_ ? &observer_->activity() : nullptr; }
    /// Returns `fine`, or the exit code after reporting the error.
    int write(const Loaded& loaded);

private:
    std::unique_ptr<coverage::ActivityObserver> observer_;
    GraphFile file_;
};

} // namespace sme::cli
