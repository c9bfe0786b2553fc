// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "native/toolchain/object.hpp"

namespace sme::native {

struct CompilerSettings {
    std::string compiler;                        // path of a C compiler
    std::string folder;                          // of the object cache
    double seconds = 120;                        // time limit
    int niceness = 0;                            // of the compiler
    const std::atomic<bool>* unwanted = nullptr; // true: stop it
    std::vector<std::string> more_flags = {};    // after the usual ones
    std::vector<std::string> first = {};         // before all others: "gcc" of "ccache gcc"
};

/// The result of a compilation.
struct Compiled {
    std::shared_ptr<const Object> object; // null: see `problem`
    std::string problem;
    std::string note;   // why the object was not cached; empty if it was
    bool kept = false;  // it was compiled before
    double seconds = 0; // time taken
};

/// Compiles C, or loads the object that the same compiler made from the same text for the same CPU.
/// Any number of threads and processes may call it with the same folder. It loads an object from
/// the folder only if its digest matches and the current user owns it.
Compiled compile(const std::string& text, const CompilerSettings& settings);

} // namespace sme::native
