// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/loading.hpp"

namespace sme::cli {

enum class QuietEnd : std::uint8_t {
    done,     ///< the network ended by itself
    cut,      ///< all cycles ran
    deadlock, ///< its actors wait for each other
    failed,   ///< anything else
};

/// A run for what it shows of a network: it writes no file and prints no result.
struct QuietRun {
    QuietEnd end = QuietEnd::failed;
    std::uint64_t cycles = 0;
    int exit_code = exit_code::fine; // of a run that failed
    std::vector<Diagnostic> faults;
    std::vector<Diagnostic> failures; // of checks and expected outputs
};

/// Loads a network and runs it on one thread, interpreted, for as many cycles as `cycles` says of
/// what is loaded; nothing: not at all, and why has been said.
QuietRun run_quietly(const Options& options, LoadHooks hooks,
                     const std::function<std::optional<std::uint64_t>(const Loaded&)>& cycles);

} // namespace sme::cli
