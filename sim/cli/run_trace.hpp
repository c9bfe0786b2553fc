// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cli/loading.hpp"
#include "engine/engine.hpp"
#include "trace/tracer.hpp"

namespace sme::cli {

/// The trace that a run writes, if it writes one.
class RunTrace {
public:
    /// Opens the file `path`, for which the options ask, and attaches the tracer; empty: there is
    /// no trace. The exit code that the command ends with here, which has been explained, or fine.
    int open(const Options& options, const Loaded& loaded, engine::Engine& engine,
             const std::string& path);
    /// Null: there is no trace.
    trace::Tracer* tracer() const { return tracer_.get(); }
    /// What the summary says of --keep-last.
    std::string kept_line(const Options& options, const engine::Engine& engine) const;

private:
    std::unique_ptr<trace::Tracer> tracer_;
    std::string path_;
};

} // namespace sme::cli
