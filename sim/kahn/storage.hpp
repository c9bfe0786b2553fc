// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kahn/graph.hpp"
#include "sme/internal/kahn_descriptor.hpp"
#include "sme/kahn_process.hpp"

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
template <class Item, class Atomics = internal::StdAtomics, unsigned places = 15>
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

/// Processes that are queued together.
struct Batch {
    internal::ProcessDescriptor* first = nullptr;
    internal::ProcessDescriptor* last = nullptr;
    std::uint32_t size = 0;
    bool pinned = false; ///< at least one of them may run on this runner only
    int place = -1;      ///< in the window
    Batch* next = nullptr;
    /// A thief has finished copying it. Release and acquire: the owner reuses it afterwards.
    std::atomic<bool> clean{false};
};

/// The queue of batches of one runner. Other threads may only call `steal` and `holds_work`.
class BatchQueue {
public:
    /// The number of batches that thieves can see.
    static constexpr std::size_t shown = MigrationWindow<Batch>::size;

    explicit BatchQueue(bool shared) : shared_{shared} {}

    bool empty() const { return first_ == nullptr; }

    /// Appends a batch, which others may steal unless it is pinned.
    void put(internal::ProcessDescriptor* first, internal::ProcessDescriptor* last,
             std::uint32_t size, bool pinned) {
        Batch& batch = fresh();
        batch.first = first, batch.last = last, batch.size = size;
        batch.pinned = pinned;
        batch.place = -1;
        batch.next = nullptr;
        (first_ != nullptr ? last_->next : first_) = &batch;
        last_ = &batch;
        if (shared_ && !pinned)
            window_.put(batch);
    }

    /// Takes the first batch that was not stolen; null if the queue is empty. Valid until the next
    /// call of `put`.
    Batch* take() {
        while (first_ != nullptr) {
            Batch* batch = std::exchange(first_, first_->next);
            if (!shared_ || window_.take_back(*batch)) {
                batch->next = std::exchange(free_, batch);
                return batch;
            }
            batch->next = std::exchange(laundry_, batch);
        }
        return nullptr;
    }

    /// For thieves: copies the processes of a batch; its size is 0 if there is no batch.
    bool steal(Batch& copy) {
        Batch* batch = window_.steal();
        if (batch == nullptr)
            return false;
        copy.first = batch->first, copy.last = batch->last, copy.size = batch->size;
        batch->clean.store(true, std::memory_order_release);
        return true;
    }
    bool holds_work() const { return window_.holds_work(); }

private:
    Batch& fresh() {
        if (free_ == nullptr && laundry_ != nullptr &&
            laundry_->clean.load(std::memory_order_acquire)) {
            Batch* washed = std::exchange(laundry_, laundry_->next);
            washed->clean.store(false, std::memory_order_relaxed);
            return *washed;
        }
        if (free_ != nullptr)
            return *std::exchange(free_, free_->next);
        return *pool_.emplace_back(std::make_unique<Batch>());
    }

    Batch* first_ = nullptr;
    Batch* last_ = nullptr;
    Batch* free_ = nullptr;
    Batch* laundry_ = nullptr; ///< stolen; possibly still being copied
    bool shared_;
    std::vector<std::unique_ptr<Batch>> pool_;
    MigrationWindow<Batch> window_;
};

/// The channels of a run, with their slots.
class Storage {
public:
    Storage(const KahnGraph& graph, bool concurrent, bool digests);
    ~Storage() { clear(); }
    /// After a run: destroys the channels with their messages.
    void clear();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    internal::ChannelCore& operator[](std::uint64_t channel) const;
    std::uint64_t size() const { return graph_.channels.size(); }

    /// The total bytes of the slots of all channels.
    std::size_t slot_bytes() const { return slot_bytes_; }
    /// The value of `slot_bytes` after `enlarge`.
    std::size_t slot_bytes_enlarged(const internal::ChannelCore& channel) const;
    /// Makes a channel deeper by one message. Both of its sides must sleep.
    void enlarge(internal::ChannelCore& channel);

    // Any thread may call these three:
    /// Makes a channel while the network runs.
    internal::ChannelCore& make(const Name& name, Depth depth, const internal::ChannelKind& kind);
    /// One side of such a channel is over; after both it is destroyed.
    void drop(internal::ChannelCore& channel, internal::Side side);
    std::string made_name(std::uint64_t channel) const;

private:
    struct Block { ///< the channels of a family
        std::byte* memory;
        std::size_t stride;
    };
    struct Freed {
        std::size_t alignment;
        void operator()(std::byte* memory) const {
            ::operator delete (memory, std::align_val_t{alignment});
        }
    };
    using Memory = std::unique_ptr<std::byte, Freed>;

    Memory allocate(std::size_t bytes, std::size_t alignment) {
        return Memory{static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment})),
                      Freed{alignment}};
    }
    /// A channel that was made while the network runs.
    struct Made {
        std::string name;
        const internal::ChannelKind* kind;
        Memory memory, enlarged;
        internal::ChannelCore* core;
        unsigned sides = 2;
    };
    void make(const KahnGraph::Family& family, bool digests);
    const internal::ChannelKind& kind_of(const internal::ChannelCore& channel) const;
    static std::size_t head_of(const internal::ChannelKind& kind);

    const KahnGraph& graph_;
    bool concurrent_;
    mutable std::mutex mutex_;
    std::map<std::uint32_t, Made> made_; ///< by number, from the described ones on
    std::uint32_t next_made_ = 0;
    std::vector<Block> blocks_; ///< by family
    std::vector<Memory> memory_;
    std::vector<std::pair<std::uint32_t, Memory>> enlarged_; ///< the slots of a channel
    std::unique_ptr<internal::ChannelHistory[]> histories_;
    std::size_t slot_bytes_ = 0;
    bool over_ = false; ///< ends that messages hold are dropped no more
};

} // namespace sme::kahn
