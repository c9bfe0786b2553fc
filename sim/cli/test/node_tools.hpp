// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/test/scratch.hpp"

namespace sme::test {

/// Where the build has installed what test/node takes from npm.
inline const std::string node_tools = SME_BINARY_DIR "/sim/cli/cli_node_tools";

/// Why it is not there; empty: it is.
inline std::string missing_node_tools() {
    return text_of(node_tools + ".txt");
}

} // namespace sme::test
