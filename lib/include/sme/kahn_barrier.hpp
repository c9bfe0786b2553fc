// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sme/kahn_process.hpp"

namespace sme {
namespace detail {

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

} // namespace detail

/// A place at a barrier: a process that waits there continues when all enrolled processes wait.
/// Bound with `sme::member(barrier)`. A copy is another place, for example to send to another
/// process: a place that is moved there still belongs to the first one. A place ends when it is
/// destroyed or resigned, or its process returns.
class BarrierEnd {
public:
    explicit BarrierEnd(std::shared_ptr<detail::Enrolment> place) : place_{std::move(place)} {}
    BarrierEnd(const BarrierEnd& other)
        : place_{other.place_ && other.place_->holds
                     ? std::make_shared<detail::Enrolment>(other.place_->barrier)
                     : nullptr} {}
    BarrierEnd(BarrierEnd&& other) noexcept = default;
    BarrierEnd& operator=(BarrierEnd other) noexcept {
        std::swap(place_, other.place_);
        return *this;
    }
    ~BarrierEnd() { resign(); }

    /// `co_await` it in the process to wait until all enrolled processes wait. Continues at once if
    /// this place is resigned.
    auto wait(const KahnProcess& process) const { return Wait{place_.get(), process}; }
    /// Ends this place: the others no longer wait for it.
    void resign() {
        if (place_)
            std::exchange(place_, nullptr)->resign();
    }

private:
    struct Wait {
        detail::Enrolment* place;
        const KahnProcess& process;
        bool await_ready() const noexcept { return place == nullptr || !place->holds; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) const {
            detail::ReadyQueue& queue = detail::running();
            detail::ProcessDescriptor& who = detail::descriptor_of(process);
            who.resume = resume;
            who.waits.store(place->barrier.waiting_word(), std::memory_order_release);
            return place->barrier.arrive(who, queue.is_clocked()) ? resume : queue.next();
        }
        void await_resume() const noexcept {}
    };

    std::shared_ptr<detail::Enrolment> place_; // also owned by its process, which ends it
};

} // namespace sme
