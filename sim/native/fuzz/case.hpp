// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "yaml/fuzz/make/network_maker.hpp"

namespace sme::fuzz {

/// A random network, and what is random about how it is run.
struct Case {
    Generated network;
    std::uint64_t cycles = 1;         // that it runs; it may end before
    std::uint64_t swap = 0;           // native code takes over before this cycle
    std::vector<std::uint64_t> calls; // cycles of each call of a run in several: `cycles` in all
    std::size_t file_bytes = 1;       // of C, in a run whose native code is many files
};

/// A third of the networks fault, halt or fail a check in one of their cycles; another third has
/// no observer.
Case make_case(Choices& choices);

} // namespace sme::fuzz
