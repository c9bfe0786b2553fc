// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sme/kahn_process.hpp"

// Ends of channels that several processes take turns at, first come, first served. Who comes first
// is not the same in every run, so a network with them is not deterministic.

namespace sme {
namespace detail {

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

    /// Before the run.
    void join(ProcessDescriptor& process) {
        members_.push_back(&process);
        ++left_;
    }
    const std::vector<ProcessDescriptor*>& members() const { return members_; }

    /// True: the process has the end. False: it sleeps until it has; then the caller touches
    /// nothing of it any more.
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
    /// With a clock: gives the end to a process that waits for it, when it was free when the cycle
    /// began and nobody has claimed it before, or in the same cycle with a smaller number.
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
    /// A member has ended. With the last one, a channel that they send to is closed.
    void leave() {
        const std::lock_guard lock{mutex_};
        if (--left_ == 0 && sends_)
            core_.close();
    }

    /// Where nothing runs.
    ProcessDescriptor* holder() const { return holder_; }

private:
    void give(ProcessDescriptor& process) {
        holder_ = &process;
        (sends_ ? core_.writer : core_.reader) = &process;
    }

    ChannelCore& core_;
    bool sends_;
    std::vector<ProcessDescriptor*> members_;
    std::mutex mutex_; // of what follows, and of what a side of the channel knows by itself
    ProcessDescriptor* holder_ = nullptr;
    struct Claim {
        ProcessDescriptor* process;
        std::uint64_t cycle;
    };
    std::deque<Claim> waiting_;
    std::uint64_t free_from_ = 0; // a cycle
    std::size_t left_ = 0;
};

/// Gives the end back at its own end.
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

} // namespace detail

/// A turn at sending: messages of one process, without others between them, until it is released
/// or ends.
template <class T> class SendClaim {
public:
    explicit SendClaim(detail::SharedEnd& end)
        : channel_{static_cast<detail::ChannelOf<T>*>(&end.core())}, claimed_{end} {}
    [[nodiscard]] detail::Send<T> send(T message) const { return {*channel_, std::move(message)}; }
    void release() { claimed_.release(); }

private:
    detail::ChannelOf<T>* channel_;
    detail::Claimed claimed_;
};

/// A turn at receiving.
template <class T> class ReceiveClaim {
public:
    explicit ReceiveClaim(detail::SharedEnd& end)
        : channel_{static_cast<detail::ChannelOf<T>*>(&end.core())}, claimed_{end} {}
    /// `co_await` it for the next message, or for nothing when the channel has ended.
    KahnCoroutine<std::optional<T>> receive() const {
        std::optional<T> message;
        if (!channel_->ended)
            if (auto received = co_await detail::Receive<T>{*channel_})
                message.emplace(std::move(*received));
        co_return message;
    }
    void release() { claimed_.release(); }

private:
    detail::ChannelOf<T>* channel_;
    detail::Claimed claimed_;
};

/// The end of a channel to which several processes send in turns. Bound with
/// `sme::shared_out(channel)` by each of them. The channel is closed when all of them have
/// returned.
template <class T> class SharedOut {
public:
    SharedOut(detail::SharedEnd& end, detail::ProcessDescriptor& process)
        : end_{&end}, process_{&process} {}
    /// `co_await` it for a SendClaim<T>.
    [[nodiscard]] detail::ClaimWait<SendClaim<T>> claim() const { return {*end_, *process_}; }
    /// `co_await` it: one message in a turn of its own.
    KahnCoroutine<void> send(T message) const {
        auto turn = co_await claim();
        co_await turn.send(std::move(message));
    }

private:
    detail::SharedEnd* end_;
    detail::ProcessDescriptor* process_;
};

/// The end of a channel from which several processes receive in turns. Bound with
/// `sme::shared_in(channel)` by each of them. Each sees the end of the channel.
template <class T> class SharedIn {
public:
    SharedIn(detail::SharedEnd& end, detail::ProcessDescriptor& process)
        : end_{&end}, process_{&process} {}
    /// `co_await` it for a ReceiveClaim<T>.
    [[nodiscard]] detail::ClaimWait<ReceiveClaim<T>> claim() const { return {*end_, *process_}; }
    /// `co_await` it for the next message, in a turn of its own, or for nothing at the end.
    KahnCoroutine<std::optional<T>> receive() const {
        auto turn = co_await claim();
        co_return co_await turn.receive();
    }

private:
    detail::SharedEnd* end_;
    detail::ProcessDescriptor* process_;
};

} // namespace sme
