// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "native/fuzz/case.hpp"
#include "native/toolchain/c_compiler.hpp"

namespace sme::fuzz {

/// Counts cases by outcome.
struct Tally {
    unsigned native = 0;            // had processes that ran as native code
    unsigned swapped = 0;           // native code took over after some cycles
    unsigned in_cycle_kernels = 0;  // had cycles that a cycle kernel ran
    unsigned in_shared_kernels = 0; // on two threads
    unsigned in_files = 0;          // runs whose native code went live in several files
    unsigned quick = 0;             // had processes that ran as quick code before
    unsigned skipping = 0;          // runs that skipped at least a tenth of the steps
    unsigned threaded = 0;          // runs, not cases, on two threads
    unsigned trapped = 0;           // were run with traps
    unsigned faulted = 0;
    unsigned halted = 0;
    unsigned failed = 0; // a check or a condition on a recording
};

/// Runs a case in every mode and compares each with the interpreter on one thread; with `traps`,
/// also as C that traps on undefined behaviour. Returns the first difference (mode, location, both
/// values), or an empty string.
std::string differences(const Case& given, const native::CompilerSettings& settings, bool traps,
                        Tally& tally);

} // namespace sme::fuzz
