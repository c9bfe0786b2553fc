// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sme::counterpart {

/// What a program around a class is compiled and linked with.
struct Toolkit {
    std::string compiler;               // that it must be; empty: any
    std::vector<std::string> arguments; // behind the source
    std::string problem;                // what is not there; empty: all is
};

/// That of the installation when this program is in its `bin`, otherwise that of the build.
Toolkit toolkit_for(bool systemc);

} // namespace sme::counterpart
