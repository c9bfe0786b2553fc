// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sme::engine {

/// All state that later cycles depend on, in memory. See Engine::snapshot.
struct Snapshot {
    std::uint64_t cycle = 0; // the next cycle
    std::map<std::string, std::vector<std::byte>> records;

    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const auto& [key, record] : records)
            sum += record.size();
        return sum;
    }
};

} // namespace sme::engine
