// SPDX-License-Identifier: Apache-2.0
#include "kahn/timers.hpp"

#include <algorithm>

namespace sme::kahn {

using internal::Tick;
using Ticking = internal::ChannelOf<Tick>;

void Timers::Waker::place(internal::ProcessDescriptor& process) {
    if (!process.choice->word.is_idle() && !process.choice->wakes())
        return;
    auto* const home = static_cast<Runner*>(process.home);
    (home != nullptr ? *home : team_.runner(next_++ % std::max(1U, team_.thieves()))).post(process);
}

Ticking& Timers::ticks(internal::ProcessDescriptor& reader) {
    const std::lock_guard lock{mutex_};
    Ticks& ticks = ticks_.emplace_back();
    ticks.to = ticks.from = {ticks.slot.data(), 0, 1};
    ticks.id = KahnGraph::none;
    ticks.concurrent = true;
    ticks.reader = &reader;
    return ticks;
}

void Timers::arm(Ticking& ticks, std::chrono::nanoseconds time) {
    const auto now = Clock::now();
    const auto when = time < Clock::time_point::max() - now ? now + time : Clock::time_point::max();
    const std::lock_guard lock{mutex_};
    static_cast<Ticks&>(ticks).when = when;
    waiting_.emplace(when, &static_cast<Ticks&>(ticks));
    waker_.team().expect(1);
    if (!thread_.joinable() && !stopped_)
        thread_ = std::thread{[this] { run(); }};
    changed_.notify_one();
}

void Timers::disarm(Ticking& ticks) {
    waker_.team().expect(-1); // by the process, so that no runner is idle meanwhile
    const std::lock_guard lock{mutex_};
    waiting_.erase({static_cast<Ticks&>(ticks).when, &static_cast<Ticks&>(ticks)});
}

void Timers::stop() {
    {
        const std::lock_guard lock{mutex_};
        stopped_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable())
        thread_.join();
}

void Timers::run() {
    internal::this_queue = &waker_;
    std::unique_lock lock{mutex_};
    while (!stopped_) {
        if (waiting_.empty()) {
            changed_.wait(lock);
            continue;
        }
        const auto first = waiting_.begin();
        const auto when = first->first; // a copy: it may be disarmed meanwhile
        if (Clock::now() < when) {
            changed_.wait_until(lock, when);
            continue;
        }
        Ticking& ticks = *first->second;
        waiting_.erase(first);
        ticks.push(Tick{});
    }
}

} // namespace sme::kahn

namespace sme {

RealTime RealTime::Argument::bind(internal::Ends& ends,
                                  internal::ProcessDescriptor& process) const {
    static_cast<internal::Hosted&>(process).more();
    internal::TimeSource* const source = ends.time();
    if (source == nullptr)
        throw NetworkError{"a process waits for real time, which needs a run without a clock "
                           "(sme::Untimed) in which a described process does so, too; with a "
                           "clock, write sme::clock(cycles) or sme::timeout(cycles)"};
    return {*source, source->ticks(process)};
}

} // namespace sme
