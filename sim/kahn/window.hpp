// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sme/kahn_position.hpp"

namespace sme::kahn {

/// The end of a runner's queue of batches, from which other runners steal: figures 3 to 5 of
/// "Multicore scheduling for lightweight communicating processes" (Ritson, Sampson and Barnes,
/// 2009). All operations are wait-free. `Item` has an `int place`, which only its owner uses; -1:
/// not in the window.
///
/// The state word holds the place filled last, above a bitmap of the filled places. The owner
/// updates it with a plain load and store, so it may show a stolen batch; the entries are
/// authoritative.
///
/// One difference: the owner takes an item back by compare and exchange, where figure 4 swaps,
/// since the place of a stolen item may meanwhile hold another.
template <class Item, class Atomics = detail::StdAtomics, unsigned places = 15>
class MigrationWindow {
public:
    static constexpr std::size_t size = places;

    static constexpr int outside = -1;

    /// Local enqueue: displaces the item that was put in `places` calls ago from the window.
    void put(Item& item) {
        const std::uint32_t state = state_.load(std::memory_order_relaxed);
        const std::uint32_t place = (state / bitmap_end + 1) % places;
        item.place = static_cast<int>(place);
        // release: a thief sees the batch; acquire: pairs with a thief's swap; sequentially
        // consistent with `holds_work`
        Item* before = entries_[place].exchange(&item, std::memory_order_seq_cst);
        if (before != nullptr)
            before->place = outside;
        const std::uint32_t bitmap = (state % bitmap_end) | (1U << place);
        state_.store(place * bitmap_end + bitmap, std::memory_order_relaxed);
    }

    /// Local dequeue. False: the item was stolen, and its thief may still be reading it.
    bool take_back(Item& item) {
        if (item.place == outside)
            return true;
        const auto place = static_cast<std::uint32_t>(item.place);
        Item* expected = &item;
        item.place = outside;
        // acquire and release as in `put`: exactly one contender gets the item
        if (!entries_[place].compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel,
                                                     std::memory_order_relaxed))
            return false;
        state_.store(state_.load(std::memory_order_relaxed) & ~(1U << place),
                     std::memory_order_relaxed);
        return true;
    }

    /// Remote dequeue, by another thread: takes the oldest available item, or null.
    Item* steal() {
        const std::uint32_t state = state_.load(std::memory_order_acquire);
        const std::uint32_t last = state / bitmap_end;
        for (std::uint32_t k = 1; k <= places; ++k) {
            const std::uint32_t place = (last + k) % places;
            if ((state >> place & 1U) == 0)
                continue;
            // acquire: pairs with the release of `put`
            Item* item = entries_[place].exchange(nullptr, std::memory_order_acq_rel);
            if (item == nullptr)
                continue;
            state_.fetch_and(~(1U << place), std::memory_order_relaxed);
            return item;
        }
        return nullptr;
    }

    /// True if an item can be stolen; the state word alone does not tell.
    bool holds_work() const {
        return std::any_of(entries_.begin(), entries_.end(), [](const auto& entry) {
            return entry.load(std::memory_order_seq_cst) != nullptr;
        });
    }

private:
    static constexpr std::uint32_t bitmap_end = 1U << places;
    static_assert(places >= 1 && places <= 24);

    std::array<typename Atomics::template Atomic<Item*>, places> entries_{};
    typename Atomics::template Atomic<std::uint32_t> state_{0};
};

} // namespace sme::kahn
