// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"

namespace sme::cli {

/// The page of reports, without data.
struct PageFile {
    std::string text;
    std::string problem; // why there is no text, and the remedy
};

/// Reads the page from the installation. In a build folder, bundles it on first use, unless
/// `options` forbid starting programs.
PageFile read_page(const Options& options);

} // namespace sme::cli
