// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace sme {

/// Two implementations of one process that read the same buses; the second writes buses of its own.
struct Pair {
    std::string name;  // of the first
    std::string other; // what the second is: "module 'aes'"
    Location where;    // of the second
    /// Places in Graph::processes: the first is [begin, middle), the second [middle, end).
    std::size_t begin = 0, middle = 0, end = 0;
    /// Elements of buses that both write.
    struct Outputs {
        std::uint64_t first;
        std::uint64_t second;
    };
    std::vector<Outputs> outputs;
    /// What both read, to be shown with a difference; empty: what the first reads and does not
    /// write.
    std::vector<std::uint64_t> inputs;
};

} // namespace sme
