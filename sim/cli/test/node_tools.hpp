// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/test/scratch.hpp"

namespace sme::test {

/// The folder into which the build installs the npm packages of test/node.
inline const std::string node_tools = SME_BINARY_DIR "/sim/cli/cli_node_tools";

/// Why the folder is missing; empty if it exists.
inline std::string missing_node_tools() {
    return text_of(node_tools + ".txt");
}

} // namespace sme::test
