// SPDX-License-Identifier: Apache-2.0
#include "sme/trace.hpp"

#include "sme/network.hpp"
#include "trace/tracer.hpp"

namespace sme {

std::shared_ptr<Observer> vcd_tracer(const std::string& path, const TraceOptions& options) {
    trace::TracerOptions chosen;
    chosen.period = options.clock_ps == 0
                        ? trace::ClockPeriod{options.clock_ns, trace::TimeUnit::nanoseconds}
                        : trace::ClockPeriod::of(options.clock_ps);
    if (path.ends_with(".fst"))
        chosen.format = &trace::format_of(path);
    chosen.state = options.state;
    chosen.select = options.select;
    auto tracer = std::make_shared<trace::Tracer>(path, std::move(chosen));
    if (!tracer->good())
        throw NetworkError{tracer->problem()};
    return tracer;
}

} // namespace sme
