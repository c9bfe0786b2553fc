// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "lockstep/comparison.hpp"
#include "lockstep/random_rules.hpp"

namespace sme::cli {

using Comparisons = std::vector<std::shared_ptr<const lockstep::Comparison>>;

/// Runs what is loaded with its comparisons; prints what became of them, `more` behind each. The
/// exit code.
int run_compared(const Options& options, const Loaded& loaded, const Comparisons& comparisons,
                 const std::string& more = {});

/// The same for a pair alone, in a network of its own: without the checks and files of the other.
/// `differs`: the cycle of the difference goes there.
int run_alone(const Options& options, const Loaded& loaded, Graph graph, const Pair& pair,
              std::uint64_t cycles, const std::string& more = {},
              std::optional<std::uint64_t>* differs = nullptr);

/// Each pair alone, one after another, with random values for --random cycles. The worst exit code.
int run_random(const Options& options, const Loaded& loaded, const std::vector<Pair>& pairs,
               const lockstep::RandomRules& rules);

/// Each pair whose inputs --inputs has, alone with these. The worst exit code.
int run_fed(const Options& options, const Loaded& loaded, const std::vector<Pair>& pairs);

} // namespace sme::cli
