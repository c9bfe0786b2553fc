// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "native/toolchain/object.hpp"

namespace sme::native {

struct CompilerSettings {
    std::string compiler;                        // the path of a C compiler
    std::string folder;                          // where objects are kept
    double seconds = 120;                        // that it may take
    int niceness = 0;                            // of the compiler
    const std::atomic<bool>* unwanted = nullptr; // true: it is stopped
    std::vector<std::string> more_flags = {};    // behind the usual ones
    std::vector<std::string> first = {};         // before all others: "gcc" of "ccache gcc"
};

/// What came of compiling.
struct Compiled {
    std::shared_ptr<const Object> object; // null: see `problem`
    std::string problem;
    std::string note;   // why nothing could be kept; empty when it could
    bool kept = false;  // it was compiled before
    double seconds = 0; // that this took
};

/// Compiles C, or loads the object that the same compiler made of the same text for the same CPU.
/// Any number of threads and processes may call it with one folder. It loads an object from the
/// folder only when its digest fits and the current user owns it.
Compiled compile(const std::string& text, const CompilerSettings& settings);

} // namespace sme::native
