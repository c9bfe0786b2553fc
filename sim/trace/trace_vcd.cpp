// SPDX-License-Identifier: Apache-2.0
#include "sme/trace.hpp"

#include "sme/network.hpp"
#include "trace/vcd/vcd.hpp"

namespace sme {

std::shared_ptr<Observer> vcd_tracer(const std::string& path, const TraceOptions& options) {
    trace::VcdOptions chosen;
    chosen.period = {options.clock_ns, trace::TimeUnit::nanoseconds};
    chosen.select = options.select;
    auto tracer = std::make_shared<trace::VcdTracer>(path, std::move(chosen));
    if (!tracer->good())
        throw NetworkError{tracer->problem()};
    return tracer;
}

} // namespace sme
