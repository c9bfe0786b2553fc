// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "network/graph.hpp"
#include "network/input_rows.hpp"
#include "network/segments.hpp"
#include "sme/group.hpp"

namespace sme {

/// What a group that computes nothing does in every cycle, for whoever does it in its place between
/// any two cycles. All but the segments belongs to the group.
struct CopyPlan {
    enum class Kind : std::uint8_t {
        hold,  ///< to ← to, as it was read
        clear, ///< to ← 0
        delay, ///< to ← what `from` was `stages` + 1 cycles ago
        feed,  ///< to ← the row of the cycle in which it is read
        offer, ///< to ← the row that is offered; the next one once `from`, a bool, has been true
    };
    Kind kind;
    const BusFamily* bus; // of the type of all slots
    Segments from;        // element → offset
    Segments to;
    std::byte* ring = nullptr; // of delay: [cycle modulo stages][element], a slot each
    std::uint64_t stages = 0;
    const InputRows* rows = nullptr; // of feed and offer
    std::uint64_t* next = nullptr;   // of offer: the row
};

class CopyingGroup : public Group {
public:
    virtual CopyPlan copy_plan() = 0;
};

} // namespace sme
