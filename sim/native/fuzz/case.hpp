// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "yaml/fuzz/make/network_maker.hpp"

namespace sme::fuzz {

/// A random network with random parameters of its runs.
struct Case {
    Generated network;
    std::uint64_t cycles = 1;         // to run; it may end earlier
    std::uint64_t swap = 0;           // native code takes over before this cycle
    std::vector<std::uint64_t> calls; // cycles per call of a run in several; `cycles` in all
    std::size_t file_bytes = 1;       // of C, in a run with many native files
    bool cover = false;               // counts coverage
};

/// A third of the networks fault, halt or fail a check in some cycle; another third has no
/// observer.
Case make_case(Choices& choices);

} // namespace sme::fuzz
