// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "sme/kahn.hpp"

// Real time in a run without a clock. What a process does then depends on the machine, so a network
// with such a process is not deterministic.

namespace sme {

/// The time of the machine, for one process. Bound with `sme::real_time()`.
class RealTime {
public:
    RealTime(detail::TimeSource& source, detail::ChannelOf<detail::Tick>& ticks)
        : source_{&source}, ticks_{&ticks} {}

    /// `co_await` it to wait at least this long.
    KahnCoroutine<void> sleep(std::chrono::nanoseconds time) const {
        if (time.count() <= 0)
            co_return;
        source_->arm(*ticks_, time);
        const auto tick = co_await detail::Receive<detail::Tick>{*ticks_};
        source_->disarm(*ticks_);
    }
    /// A guard for `alt`: ready this long after the choice began.
    Timeout after(std::chrono::nanoseconds time) const { return {0, {source_, ticks_, time}}; }

private:
    detail::TimeSource* source_;
    detail::ChannelOf<detail::Tick>* ticks_;
};

namespace detail {

struct RealTimeArgument {
    static constexpr const char* leaves_determinism = "waits for real time";
    static constexpr bool uses_time = true;

    RealTime bind(Ends& ends, ProcessDescriptor& process) const {
        static_cast<Hosted&>(process).more();
        TimeSource* const source = ends.time();
        if (source == nullptr)
            throw NetworkError{"a process waits for real time, which needs a run without a clock "
                               "(sme::Untimed) in which a described process does so, too; with a "
                               "clock, write sme::clock(cycles) or sme::timeout(cycles)"};
        return {*source, source->ticks(process)};
    }
};

} // namespace detail

/// An argument of `KahnNetwork::add` and `Spawner::add` that becomes a RealTime.
inline detail::RealTimeArgument real_time() {
    return {};
}

} // namespace sme
