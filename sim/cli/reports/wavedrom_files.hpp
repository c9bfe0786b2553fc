// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/options.hpp"

namespace sme::cli {

/// The files of --wavedrom. Opened before the run, so that what cannot be written is said at once.
class WavedromFiles {
public:
    /// The exit code that the command ends with here, which has been explained, or fine.
    int open(const Options& options);
    /// Writes WaveJSON as it is, or as the SVG that WaveDrom draws of it. Returns an exit code;
    /// other than fine, it has been explained.
    int write(const std::string& wavejson);

private:
    std::vector<std::unique_ptr<OutputFile>> files_;
};

} // namespace sme::cli
