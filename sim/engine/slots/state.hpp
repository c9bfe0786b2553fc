// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "network/graph.hpp"
#include "sme/internal/archive.hpp"

namespace sme::engine {

/// One record of a checkpoint, to be saved or loaded.
struct Piece {
    std::string key;   // "bus 'token'"
    std::string shape; // "1000 of u32"
    std::function<void(Archive&)> state;
    std::optional<std::uint64_t> bytes = std::nullopt; // if known in advance
    bool observer = false;                             // the run can continue without it
};

/// Bytes of a slot that later cycles depend on. Marks added for an auditor are excluded.
std::size_t kept_bytes(const BusFamily& bus);
/// Throws CheckpointError when these bytes of a slot are not a valid value of the bus.
void check_kept(const BusFamily& bus, const std::byte* slot);

/// The run that a checkpoint describes.
struct SavedRun {
    std::string network;
    std::uint64_t cycle = 0; // the next cycle
    std::uint64_t seed = 0;
};

/// Throws CheckpointError.
SavedRun saved_run(const checkpoint::Reader& from);

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
