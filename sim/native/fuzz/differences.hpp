// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "native/fuzz/case.hpp"
#include "native/toolchain/c_compiler.hpp"

namespace sme::fuzz {

/// What became of the cases.
struct Tally {
    unsigned native = 0;            // had processes that ran as native code
    unsigned swapped = 0;           // whose native code took over after some cycles
    unsigned in_cycle_kernels = 0;  // had cycles that a cycle kernel ran
    unsigned in_shared_kernels = 0; // on two threads
    unsigned in_files = 0;          // runs whose native code went live in several files
    unsigned threaded = 0;          // runs, not cases, on two threads
    unsigned trapped = 0;           // were run with traps
    unsigned faulted = 0;
    unsigned halted = 0;
    unsigned failed = 0; // a check, or what a recording must be
};

/// Runs a case in every mode, with `traps` also as C that stops where something is undefined, and
/// compares each with the interpreter on one thread. The first difference: the mode, where, and
/// both values; empty: there is none.
std::string differences(const Case& given, const native::CompilerSettings& settings, bool traps,
                        Tally& tally);

} // namespace sme::fuzz
