// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "kahn/team.hpp"

namespace sme::kahn {

/// Sends a tick to a process when its time has come, on a thread of its own.
class Timers final : public internal::TimeSource {
public:
    explicit Timers(Team& team) : waker_{team} {}
    ~Timers() override { stop(); }

    void arm(internal::ChannelOf<internal::Tick>& ticks, std::chrono::nanoseconds time) override;
    void disarm(internal::ChannelOf<internal::Tick>& ticks) override;
    internal::ChannelOf<internal::Tick>& ticks(internal::ProcessDescriptor& reader) override;
    /// Sends no further tick.
    void stop();

private:
    using Clock = std::chrono::steady_clock;

    /// Gives processes to the runners.
    class Waker final : public internal::ReadyQueue {
    public:
        explicit Waker(Team& team) : team_{team} {}
        Team& team() const { return team_; }
        void end(internal::ProcessDescriptor&) override {}
        [[noreturn]] void fault(const internal::ProcessDescriptor& process, std::uint64_t channel,
                                const char* what) const override {
            team_.fault(process, channel, what);
        }

    protected:
        void place(internal::ProcessDescriptor& process) override;

    private:
        Team& team_;
        std::uint32_t next_ = 0;
    };
    /// A channel with one place.
    struct Ticks : internal::ChannelOf<internal::Tick> {
        std::array<std::byte, sizeof(internal::Tick)> slot;
        Clock::time_point when; ///< it is armed for, or was
    };
    void run();

    Waker waker_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::pair<Clock::time_point, Ticks*>> waiting_;
    std::deque<Ticks> ticks_;
    bool stopped_ = false;
    std::thread thread_;
};

} // namespace sme::kahn
