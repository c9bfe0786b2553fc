// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"

namespace sme::cli {

/// The page of reports without data.
struct PageFile {
    std::string text;
    std::string problem; // why there is no text, and what to do
};

/// Reads it from the installation. In a build folder it is bundled when it is first asked for,
/// unless `options` forbid to start programs.
PageFile read_page(const Options& options);

} // namespace sme::cli
