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

/// The words that --queue, --orchestration and --wait take, with '|' between them.
inline constexpr const char* queue_words = "static|atomic|stealing";
inline constexpr const char* policy_words = "optimize|blocks|round-robin|monte-carlo";
inline constexpr const char* wait_words = "auto|spin|block";

} // namespace sme::cli
