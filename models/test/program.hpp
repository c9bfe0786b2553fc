// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

#include "cli/test/command.hpp"

namespace sme::test {

/// A completed run of a model program, such as "aes_farm --workers 3" or "cmmp/rootfinder
/// --processes 2".
inline Command model(const std::string& line) {
    const std::string folder = line.substr(0, line.find(' '));
    const std::string options = line.substr(folder.size());
    return Command{SME_BINARY_DIR "/models/" + folder + "/" + folder.substr(folder.rfind('/') + 1) +
                       options,
                   Command::any_program};
}

/// Returns the number after the first occurrence of a text, such as 1.5 after "took "; -1 if
/// absent.
inline double number_after(const std::string& text, const std::string& before) {
    const std::size_t at = text.find(before);
    return at == std::string::npos ? -1 : std::atof(text.c_str() + at + before.size());
}

} // namespace sme::test
