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
class Timers final : public detail::TimeSource {
public:
    explicit Timers(Team& team) : waker_{team} {}
    ~Timers() override { stop(); }

    void arm(detail::ChannelOf<detail::Tick>& ticks, std::chrono::nanoseconds time) override;
    void disarm(detail::ChannelOf<detail::Tick>& ticks) override;
    detail::ChannelOf<detail::Tick>& ticks(detail::ProcessDescriptor& reader) override;
    /// Sends no further tick.
    void stop();

private:
    using Clock = std::chrono::steady_clock;

    /// Gives processes to the runners.
    class Waker final : public detail::ReadyQueue {
    public:
        explicit Waker(Team& team) : team_{team} {}
        Team& team() const { return team_; }
        void end(detail::ProcessDescriptor&) override {}
        [[noreturn]] void fault(const detail::ProcessDescriptor& process, std::uint64_t channel,
                                const char* what) const override {
            team_.fault(process, channel, what);
        }

    protected:
        void place(detail::ProcessDescriptor& process) override;

    private:
        Team& team_;
        std::uint32_t next_ = 0;
    };
    /// A channel with one place.
    struct Ticks : detail::ChannelOf<detail::Tick> {
        std::array<std::byte, sizeof(detail::Tick)> slot;
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
