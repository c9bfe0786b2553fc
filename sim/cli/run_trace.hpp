// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cli/loading.hpp"
#include "engine/engine.hpp"
#include "trace/tracer.hpp"

namespace sme::cli {

/// The trace of a run, if requested.
class RunTrace {
public:
    /// Opens the requested file `path` and attaches the tracer; an empty path: no trace. Returns
    /// `fine`, or the exit code after reporting the error.
    int open(const Options& options, const Loaded& loaded, engine::Engine& engine,
             const std::string& path);
    /// Null if there is no trace.
    trace::Tracer* tracer() const { return tracer_.get(); }
    /// The line of the summary about --keep-last.
    std::string kept_line(const Options& options, const engine::Engine& engine) const;

private:
    std::unique_ptr<trace::Tracer> tracer_;
    std::string path_;
};

} // namespace sme::cli
