// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <boost/program_options/variables_map.hpp>

#include "cli/options.hpp"

namespace sme::cli {

/// Reads --threads, --queue, --orchestration, --adaptive, --wait and --grain. A complaint when one
/// of them says what is none.
std::optional<std::string> read_thread_options(const boost::program_options::variables_map& given,
                                               Options& options);

} // namespace sme::cli
