// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "sme/internal/kahn_barrier.hpp"
#include "sme/internal/kahn_channel.hpp"
#include "sme/network.hpp"

namespace sme::internal {

/// One end of a channel that several processes share, in one run.
class alignas(64) SharedEnd {
public:
    SharedEnd(ChannelCore& core, bool sends) : core_{core}, sends_{sends} {
        (sends ? core.shares_writer : core.shares_reader) = true;
    }
    ChannelCore& core() const { return core_; }
    bool sends() const { return sends_; }
    std::uintptr_t waiting() const {
        return reinterpret_cast<std::uintptr_t>(this) | waits_to_claim;
    }

    /// Called before the run.
    void join(ProcessDescriptor& process) {
        members_.push_back(&process);
        ++left_;
    }
    const std::vector<ProcessDescriptor*>& members() const { return members_; }

    /// Returns true if the process now holds the end. Otherwise it sleeps until it does, and the
    /// caller must not access its data any more.
    bool claim(ProcessDescriptor& process) {
        const bool clocked = running().is_clocked();
        const std::lock_guard lock{mutex_};
        if (holder_ == nullptr && !clocked) {
            give(process);
            return true;
        }
        waiting_.push_back({&process, running().cycle()});
        return false;
    }
    /// In a run with a clock, the channel takes turns in no cycle after that in which its last
    /// member left; a turn that was granted before goes on until it is released.
    bool is_over(std::uint64_t cycle) {
        const std::lock_guard lock{mutex_};
        return cycle >= over_from_;
    }
    /// Closes the channel in the first cycle in which it is over and no process has a turn. True if
    /// it closes.
    bool close_if_over(std::uint64_t cycle) {
        const std::lock_guard lock{mutex_};
        if (cycle < over_from_ || holder_ != nullptr || cycle < free_from_ || core_.is_closed())
            return false;
        core_.close();
        return true;
    }
    /// In a run with a clock: grants the end to a waiting process if the end was free at the start
    /// of the cycle and no other process claimed it earlier, or in the same cycle with a smaller
    /// number.
    bool grant(ProcessDescriptor& process, std::uint64_t cycle) {
        const std::lock_guard lock{mutex_};
        if (holder_ != nullptr || cycle < free_from_)
            return false;
        const auto first =
            std::min_element(waiting_.begin(), waiting_.end(), [](const Claim& a, const Claim& b) {
                return std::pair{a.cycle, a.process->id} < std::pair{b.cycle, b.process->id};
            });
        if (first->process != &process || first->cycle >= cycle)
            return false;
        waiting_.erase(first);
        give(process);
        return true;
    }
    bool is_held_by(const ProcessDescriptor& process) {
        const std::lock_guard lock{mutex_};
        return holder_ == &process;
    }
    void release() {
        ProcessDescriptor* next = nullptr;
        {
            const std::lock_guard lock{mutex_};
            holder_ = nullptr;
            if (this_queue != nullptr && running().is_clocked()) {
                free_from_ = running().cycle() + 1;
                return;
            }
            if (!waiting_.empty()) {
                next = waiting_.front().process;
                waiting_.pop_front();
                give(*next);
            }
        }
        if (next != nullptr && this_queue != nullptr)
            running().ready(*next);
    }
    /// Called when a member has ended. When the last one has ended, closes a channel that they send
    /// to.
    void leave() {
        const std::lock_guard lock{mutex_};
        if (--left_ != 0 || !sends_)
            return;
        if (this_queue != nullptr && running().is_clocked())
            over_from_ = running().cycle() + 1;
        else
            core_.close();
    }
    /// Adds a link. False if all users have left. With a clock, links do not count: who drops one
    /// first in a cycle must not matter.
    bool hold() {
        if (this_queue == nullptr)
            throw NetworkError{"a link is made before the network runs: make it in 'run', not in "
                               "the constructor of a process"};
        if (running().is_clocked())
            return true;
        const std::lock_guard lock{mutex_};
        if (left_ == 0)
            return false;
        ++left_;
        ++links_;
        return true;
    }
    void drop() {
        {
            const std::lock_guard lock{mutex_};
            if (over_ || (this_queue != nullptr && running().is_clocked()))
                return;
            --links_;
        }
        leave();
    }
    /// The run is over: links that are left have no effect.
    void end_run() {
        const std::lock_guard lock{mutex_};
        over_ = true;
    }

    // Only while no process runs:
    ProcessDescriptor* holder() const { return holder_; }
    std::size_t links() const { return links_; }

private:
    void give(ProcessDescriptor& process) {
        holder_ = &process;
        (sends_ ? core_.writer : core_.reader) = &process;
    }

    ChannelCore& core_;
    bool sends_;
    std::vector<ProcessDescriptor*> members_;
    ShortLock mutex_; // protects the members below and the channel's data of this side
    ProcessDescriptor* holder_ = nullptr;
    struct Claim {
        ProcessDescriptor* process;
        std::uint64_t cycle;
    };
    std::deque<Claim> waiting_;
    std::uint64_t free_from_ = 0; // a cycle, as the next
    std::uint64_t over_from_ = ~std::uint64_t{0};
    std::size_t left_ = 0; // members and links
    std::size_t links_ = 0;
    bool over_ = false;
};

/// A user of a shared end that belongs to no process.
class SharedLink {
public:
    SharedLink() = default;
    explicit SharedLink(SharedEnd* end) : end_{end != nullptr && end->hold() ? end : nullptr} {}
    SharedLink(const SharedLink& other) : SharedLink{other.end_} {}
    SharedLink(SharedLink&& other) noexcept : end_{std::exchange(other.end_, nullptr)} {}
    SharedLink& operator=(SharedLink other) noexcept {
        std::swap(end_, other.end_);
        return *this;
    }
    ~SharedLink() {
        if (end_ != nullptr)
            end_->drop();
    }
    SharedEnd* end() const { return end_; }

private:
    SharedEnd* end_ = nullptr;
};

/// Releases the end when destroyed.
class Claimed {
public:
    explicit Claimed(SharedEnd& end) : end_{&end} {}
    Claimed(Claimed&& other) noexcept : end_{std::exchange(other.end_, nullptr)} {}
    Claimed& operator=(Claimed&& other) noexcept {
        std::swap(end_, other.end_);
        return *this;
    }
    ~Claimed() { release(); }
    void release() {
        if (SharedEnd* const end = std::exchange(end_, nullptr))
            end->release();
    }

private:
    SharedEnd* end_;
};

template <class Claim> class ClaimWait {
public:
    ClaimWait(SharedEnd& end, ProcessDescriptor& process) : end_{end}, process_{process} {}
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) const {
        ReadyQueue& queue = running();
        process_.resume = resume;
        process_.waits.store(end_.waiting(), std::memory_order_release);
        return end_.claim(process_) ? resume : queue.next();
    }
    Claim await_resume() const { return Claim{end_}; }

private:
    SharedEnd& end_;
    ProcessDescriptor& process_;
};

} // namespace sme::internal
