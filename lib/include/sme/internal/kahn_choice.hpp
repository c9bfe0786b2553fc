// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sme/internal/kahn_channel.hpp"

namespace sme::internal {

/// Lets exactly one of several channels wake a process that sleeps at them (after "Multicore
/// scheduling for lightweight communicating processes", Ritson, Sampson and Barnes 2009, 4.1).
///
/// The process marks each channel. Each mark is a reference. The thread that takes a mark counts it
/// off: a sender, the process itself, or the first sender, which takes the remaining marks for the
/// process. The thread that counts off the last reference resumes the process, so no other thread
/// uses the word at that time.
template <class Atomics = StdAtomics> class ChoiceWord {
public:
    /// Returns true if no choice is under way.
    bool is_idle() const { return word_.load(std::memory_order_relaxed) == 0; }

    /// Called by the process: up to `channels` channels may be marked. The process holds one more
    /// reference.
    void begin(std::uint32_t channels) {
        word_.store(1 + std::uint64_t{channels}, std::memory_order_relaxed);
    }
    /// Called by the process when all channels are marked. True: the process sleeps and must not
    /// access anything any more. False: a sender has already taken a mark.
    bool sleep(std::uint32_t channels) {
        std::uint64_t expected = 1 + std::uint64_t{channels};
        return word_.compare_exchange_strong(expected, channels | waiting,
                                             std::memory_order_acq_rel, std::memory_order_acquire);
    }

    enum class Taken : std::uint8_t {
        first, ///< takes the other marks and counts them off with its own
        last,  ///< resumes the process
        other,
    };
    /// Called by a sender that took a mark.
    Taken take() {
        std::uint64_t seen = word_.load(std::memory_order_relaxed); // the exchange decides
        for (;;) {
            const bool first = (seen & waiting) != 0;
            const std::uint64_t next = first ? seen & ~waiting : seen - 1;
            if (word_.compare_exchange_strong(seen, next, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
                return first ? Taken::first : next == 0 ? Taken::last : Taken::other;
        }
    }
    /// Counts off references. Returns true if they were the last: the process may continue.
    bool count_off(std::uint64_t references) {
        std::uint64_t seen = word_.load(std::memory_order_relaxed);
        while (!word_.compare_exchange_strong(seen, seen - references, std::memory_order_acq_rel,
                                              std::memory_order_acquire)) {
        }
        return seen == references;
    }

private:
    static constexpr std::uint64_t waiting = std::uint64_t{1} << 63;
    typename Atomics::template Atomic<std::uint64_t> word_{0};
};

/// The object at which a choosing process sleeps. The process owns it for the whole run.
class alignas(64) Choice {
public:
    ChoiceWord<> word;
    std::vector<ChannelCore*> channels; ///< marked, or about to be marked
    std::uintptr_t waiting() const {
        return reinterpret_cast<std::uintptr_t>(this) | waits_to_choose;
    }
    /// Takes the remaining marks of the first `first_count` channels and returns their number.
    std::uint64_t take_marks(std::size_t first_count) const {
        std::uint64_t taken = 0;
        for (std::size_t k = 0; k < first_count; ++k)
            taken += channels[k]->sent.take_mark(channels[k]->concurrent);
        return taken;
    }
    /// Called by a sender that took a mark: returns whether it resumes the process.
    bool wakes() {
        switch (word.take()) {
        case ChoiceWord<>::Taken::first: return word.count_off(take_marks(channels.size()) + 1);
        case ChoiceWord<>::Taken::last: return true;
        case ChoiceWord<>::Taken::other: break;
        }
        return false;
    }
};

struct Tick {};

/// Real time in a run without a clock.
class TimeSource {
public:
    virtual ~TimeSource() = default;
    /// A new channel for the ticks of a process.
    virtual ChannelOf<Tick>& ticks(ProcessDescriptor& reader) = 0;
    /// Sends one tick after this time. The process calls `disarm` when it goes on; afterwards the
    /// tick is in the channel, or none comes.
    virtual void arm(ChannelOf<Tick>& ticks, std::chrono::nanoseconds time) = 0;
    virtual void disarm(ChannelOf<Tick>& ticks) = 0;
};

/// A guard that waits for real time.
struct RealGuard {
    TimeSource* source = nullptr;
    ChannelOf<Tick>* ticks = nullptr;
    std::chrono::nanoseconds time{};

    bool is_armed = false;
    void arm() {
        is_armed = true;
        source->arm(*ticks, time);
    }
    /// Afterwards no tick comes.
    void finish() {
        if (!std::exchange(is_armed, false))
            return;
        source->disarm(*ticks);
        Received<Tick> tick;
        if (ticks->has_message())
            ticks->pop(tick);
    }
};

} // namespace sme::internal

namespace sme {

/// The last guard of a choice: it is ready `cycles` cycles after the choice began, in a run with a
/// clock only; otherwise a fault. `RealTime::after` makes one of real time.
struct Timeout {
    std::uint64_t cycles;
    internal::RealGuard real = {};
};

template <class T> class ChoiceIn;

} // namespace sme

namespace sme::internal {

/// The part of the result of `alt` that does not depend on how the channels are stored.
class Alt {
public:
    Alt(const Alt&) = delete;
    Alt& operator=(const Alt&) = delete;

    bool await_ready() {
        if (guards_.empty())
            return true;
        if (timeout_ && !is_real() && !running().is_clocked())
            running().fault(*guards_[0]->reader, guards_[0]->id,
                            "chooses with a time-out, which needs a run with a clock");
        chosen_ = ready();
        return chosen_ || has_all_ended() ||
               (timeout_ && (is_real() ? timeout_->real.time.count() <= 0 : timeout_->cycles == 0));
    }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) {
        ProcessDescriptor& process = *guards_[0]->reader;
        ReadyQueue& queue = running();
        process.resume = resume;
        Choice& choice = *process.choice;
        choice.channels.clear();
        for (ChannelCore* const guard : guards_)
            if (!guard->ended) {
                guard->demand = nullptr;
                choice.channels.push_back(guard);
            }
        if (timeout_ && is_real()) {
            choice.channels.push_back(timeout_->real.ticks);
            timeout_->real.arm();
        }
        process.waits.store(choice.waiting(), std::memory_order_release);
        if (queue.is_clocked())
            return sleep_clocked(choice, queue);
        return sleep(choice) ? queue.next() : resume;
    }
    /// Returns the number of the chosen guard; `nullopt` if all channels have ended.
    std::optional<std::size_t> await_resume() {
        if (chosen_ || guards_.empty())
            return chosen_;
        if (running().is_clocked())
            for (ChannelCore* const guard : guards_)
                guard->sent.take_mark(false);
        chosen_ = ready();
        if (timeout_)
            timeout_->real.finish();
        if (!chosen_ && timeout_ && !has_all_ended())
            chosen_ = guards_.size();
        return chosen_;
    }

protected:
    /// `first`: the guard at which the search begins.
    Alt(std::span<ChannelCore* const> guards, std::size_t first, std::optional<Timeout> timeout)
        : guards_{guards}, first_{guards.empty() ? 0 : first % guards.size()}, timeout_{timeout} {}
    ~Alt() = default;

private:
    bool is_real() const { return timeout_->real.source != nullptr; }
    /// Returns the first guard with a message, or with an end not seen yet.
    std::optional<std::size_t> ready() const {
        for (std::size_t k = 0; k < guards_.size(); ++k) {
            const std::size_t at = (first_ + k) % guards_.size();
            ChannelCore& guard = *guards_[at];
            if (!guard.ended && (guard.has_message() || guard.has_ended()))
                return at;
        }
        return std::nullopt;
    }
    bool has_all_ended() const {
        return std::all_of(guards_.begin(), guards_.end(),
                           [](const ChannelCore* guard) { return guard->ended; });
    }

    /// Returns false if the process continues at once.
    static bool sleep(Choice& choice) {
        const auto count = static_cast<std::uint32_t>(choice.channels.size());
        choice.word.begin(count);
        std::size_t marked = 0;
        while (marked < count && mark(*choice.channels[marked]))
            ++marked;
        if (marked == count && choice.word.sleep(count))
            return true;
        const std::uint64_t never_marked = count - marked;
        return !choice.word.count_off(choice.take_marks(marked) + never_marked + 1);
    }
    /// Returns false if the channel has a message or its end.
    static bool mark(ChannelCore& guard) {
        if (!guard.concurrent)
            return guard.sent.mark_alone();
        const std::uint64_t nothing = guard.received.own() & ~Position<>::flags;
        std::uint64_t seen = guard.sent.load();
        while (seen == nothing)
            if (guard.sent.mark(seen))
                return true;
        return false;
    }
    std::coroutine_handle<> sleep_clocked(const Choice& choice, ReadyQueue& queue) const {
        for (ChannelCore* const guard : choice.channels)
            guard->sent.mark_alone();
        if (timeout_)
            queue.wake_after(timeout_->cycles);
        return queue.next();
    }

    std::span<ChannelCore* const> guards_;
    std::size_t first_;
    std::optional<Timeout> timeout_;
    std::optional<std::size_t> chosen_;
};

template <std::size_t N> class AltOf : public Alt {
public:
    AltOf(std::array<ChannelCore*, N> guards, std::size_t first, std::optional<Timeout> timeout)
        : Alt{own_, first, timeout}, own_{guards} {}

private:
    std::array<ChannelCore*, N> own_;
};

class AltOfMany : public Alt {
public:
    AltOfMany(std::vector<ChannelCore*> guards, std::size_t first, std::optional<Timeout> timeout)
        : Alt{{guards.data(), guards.size()}, first, timeout}, own_{std::move(guards)} {}

private:
    std::vector<ChannelCore*> own_;
};

template <class T>
AltOfMany alt_from(std::size_t first, const std::vector<ChoiceIn<T>>& inputs,
                   std::optional<Timeout> timeout = {}) {
    std::vector<ChannelCore*> guards;
    for (const ChoiceIn<T>& input : inputs)
        guards.push_back(&input.core());
    return {std::move(guards), first, timeout};
}
template <class... T>
AltOf<sizeof...(T)> alt_from(std::size_t first, const ChoiceIn<T>&... inputs) {
    return {{&inputs.core()...}, first, std::nullopt};
}

} // namespace sme::internal
