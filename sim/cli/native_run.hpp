// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "native/native.hpp"

namespace sme::cli {

/// The native code of one run.
class NativeRun {
public:
    /// Writes the C that is asked for, and compiles and attaches it. The exit code that the run
    /// ends with here, or fine. Before the first cycle.
    int prepare(const Options& options, const Loaded& loaded, engine::Engine& engine);

    /// What ran, for --stats: lines.
    std::string stats() const;

private:
    int write_c(const std::string& folder, const std::string& network) const;
    int compile(const Options& options, const Loaded& loaded, engine::Engine& engine);

    std::unique_ptr<native::Native> native_;
    native::Compiled compiled_;
    double writing_s_ = 0;
};

} // namespace sme::cli
