// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "kahn/window.hpp"
#include "sme/kahn_descriptor.hpp"

namespace sme::kahn {

/// Processes that are queued together.
struct Batch {
    detail::ProcessDescriptor* first = nullptr;
    detail::ProcessDescriptor* last = nullptr;
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
    void put(detail::ProcessDescriptor* first, detail::ProcessDescriptor* last, std::uint32_t size,
             bool pinned) {
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

} // namespace sme::kahn
