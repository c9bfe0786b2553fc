// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "network/graph.hpp"
#include "network/input_rows.hpp"
#include "network/segments.hpp"
#include "sme/group.hpp"

namespace sme {

/// Describes the work of a group that only copies, so that native code can replace it between any
/// two cycles. The group owns all data except the segments.
struct CopyPlan {
    enum class Kind : std::uint8_t {
        hold,  ///< to ← to, as it was read
        clear, ///< to ← 0
        delay, ///< to ← the value of `from` `stages` + 1 cycles ago
        feed,  ///< to ← the row of the cycle in which it is read
        offer, ///< to ← the offered row; the next row once `from`, a bool, was true
    };
    Kind kind;
    const BusFamily* bus; // has the type of all slots
    Segments from;        // element → offset
    Segments to;
    std::byte* ring = nullptr; // of delay: [cycle modulo stages][element], one slot each
    std::uint64_t stages = 0;
    const InputRows* rows = nullptr; // of feed and offer
    std::uint64_t* next = nullptr;   // of offer: the row number
};

class CopyingGroup : public Group {
public:
    virtual CopyPlan copy_plan() = 0;
};

} // namespace sme
