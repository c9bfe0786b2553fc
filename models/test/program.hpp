// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/test/command.hpp"

namespace sme::test {

/// A finished run of a model that is a program, such as "aes_farm --workers 3".
inline Command model(const std::string& line) {
    const std::string name = line.substr(0, line.find(' '));
    return Command{SME_BINARY_DIR "/models/" + name + "/" + line, Command::any_program};
}

} // namespace sme::test
