// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sme {

/// How often the buses of a family were active in a run. A stream, which is a bundle with `valid`
/// and `ready`, is active in a cycle in which both are true: an item moves. Any other bus is active
/// when its value changes from one cycle to the next.
struct BusActivity {
    bool stream = false;
    std::uint64_t active = 0; // cycles, summed over the buses of the family
    std::uint64_t most = 0;   // if each were active in every cycle

    void add(const BusActivity& other);
    /// From 0 to 1; 0 when no cycle ran.
    double share() const;
};

/// What a run did on the buses of a network.
struct Activity {
    std::uint64_t cycles = 0;       // that it ran, from where it began or was resumed
    std::vector<BusActivity> buses; // by family
};

/// A share in percent: "12.5 %". Only nothing is "0 %", only all is "100 %".
std::string share_text(double share);
/// "raw: 7 changes, at most 8", "x: 7 items, at most 8".
std::string activity_text(const std::string& name, const BusActivity& activity);

} // namespace sme
