// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sme/internal/kahn_descriptor.hpp"

namespace sme::internal {

/// A lock for a few instructions: waits in a loop, as a wake-up by the system takes a thousand
/// times as long. Its holder may have lost its processor, so after some time the loop gives way.
class ShortLock {
public:
    void lock() {
        for (unsigned looks = 0; taken_.exchange(true, std::memory_order_acquire); ++looks)
            while (taken_.load(std::memory_order_relaxed))
                if (++looks % 1024 == 0)
                    std::this_thread::yield();
    }
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> taken_{false};
};

/// The state of a barrier in one run.
class alignas(64) BarrierCore {
public:
    std::string name;

    std::uintptr_t waiting_word() const {
        return reinterpret_cast<std::uintptr_t>(this) | waits_at_barrier;
    }
    void enroll() {
        const std::lock_guard lock{mutex_};
        ++enrolled_;
    }
    void resign() {
        std::vector<ProcessDescriptor*> released;
        {
            const std::lock_guard lock{mutex_};
            --enrolled_;
            if (arrived_ != 0 && arrived_ == enrolled_)
                released = complete();
        }
        wake(released);
    }
    /// Returns true if all have arrived; otherwise the process sleeps until they have.
    bool arrive(ProcessDescriptor& process, bool clocked) {
        std::vector<ProcessDescriptor*> released;
        {
            const std::lock_guard lock{mutex_};
            ++arrived_;
            waiting_.push_back(&process);
            if (arrived_ != enrolled_)
                return false;
            released = complete();
        }
        if (clocked) // all continue in the next cycle, including the last
            return false;
        released.pop_back();
        wake(released);
        return true;
    }

    /// For a run with a clock: returns whether a waiting process may continue in this cycle.
    bool is_released(const ProcessDescriptor& process, std::uint64_t cycle) {
        const std::lock_guard lock{mutex_};
        for (const ProcessDescriptor* const each : waiting_)
            if (each == &process)
                return false;
        return completed_ < cycle;
    }

    // Only while no process runs:
    std::uint64_t enrolled() const { return enrolled_; }
    std::uint64_t arrived() const { return arrived_; }

private:
    std::vector<ProcessDescriptor*> complete() {
        arrived_ = 0;
        if (this_queue != nullptr)
            completed_ = running().cycle();
        return std::exchange(waiting_, {});
    }
    static void wake(const std::vector<ProcessDescriptor*>& released) {
        if (this_queue == nullptr || running().is_clocked())
            return;
        running().ready_all(released);
    }

    ShortLock mutex_;
    std::uint64_t enrolled_ = 0, arrived_ = 0;
    std::vector<ProcessDescriptor*> waiting_;
    std::uint64_t completed_ = 0; // the cycle
};

/// An enrolment at a barrier. It ends once.
struct Enrolment {
    explicit Enrolment(BarrierCore& of) : barrier{of} { barrier.enroll(); }
    void resign() {
        if (holds.exchange(false))
            barrier.resign();
    }
    BarrierCore& barrier;
    std::atomic<bool> holds{true}; ///< its process may return while another has it
};

} // namespace sme::internal
