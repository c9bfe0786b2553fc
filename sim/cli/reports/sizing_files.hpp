// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/commands/sized_network.hpp"

namespace sme::cli {

/// Writes the Pareto front of cycles against bits as a table (.csv) or a plot (.svg). Returns the
/// exit code.
int write_front(const std::string& path, const SizedNetwork& network,
                const std::vector<sizing::Search::Point>& front);

/// Writes a patch that gives the channels in the network's files these depths. Returns the exit
/// code.
int write_patch(const std::string& path, const SizedNetwork& network, const sizing::Depths& depths);

} // namespace sme::cli
