// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/options.hpp"

namespace sme::cli {

/// The files of --wavedrom. Opened before the run, to report write errors early.
class WavedromFiles {
public:
    /// Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options);
    /// Writes WaveJSON unchanged, or as the SVG that WaveDrom draws. Returns `fine`, or the exit
    /// code after reporting the error.
    int write(const std::string& wavejson);

private:
    std::vector<std::unique_ptr<OutputFile>> files_;
};

} // namespace sme::cli
