// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace sme::verilator {

/// With what, and where, modules are built.
struct Settings {
    std::string verilator; // the path of the program; empty: there is none
    std::string compiler;  // of C++
    std::string folder;    // where built modules are kept; empty: nowhere
    bool may_build = true; // whether programs may be started
    bool savable = false;  // modules are to be saved in checkpoints
    unsigned jobs = 2;     // compilers at a time
    /// Told what takes time, as in "verilating 'top'".
    std::function<void(const std::string&)> progress = [](const std::string&) {};
};

} // namespace sme::verilator
