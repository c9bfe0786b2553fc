// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"

namespace sme::trace {

namespace {

/// Formats a text as a JSON string.
std::string json_text(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

double microseconds(std::uint64_t ns) {
    return static_cast<double>(ns) / 1000;
}

} // namespace

void write_timeline(OutputFile& file, const std::string& network,
                    const std::vector<TimelineEvent>& events) {
    std::uint64_t start = ~std::uint64_t{0};
    unsigned threads = 0;
    for (const TimelineEvent& event : events) {
        start = std::min(start, event.begin_ns);
        threads = std::max(threads, event.thread + 1);
    }
    file.write(fmt::format("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                           "{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{{\"name\":"
                           "{}}}}}",
                           json_text(network)));
    for (unsigned thread = 0; thread < threads; ++thread)
        file.write(fmt::format(",\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":{0},"
                               "\"args\":{{\"name\":\"thread {0}\"}}}}",
                               thread));
    for (const TimelineEvent& event : events)
        file.write(fmt::format(",\n{{\"name\":{},\"cat\":\"{}\",\"ph\":\"X\",\"pid\":1,\"tid\":{},"
                               "\"ts\":{:.3f},\"dur\":{:.3f},\"args\":{{\"cycle\":{},\"level\":{}"
                               "}}}}",
                               json_text(event.name), event.waits ? "wait" : "step", event.thread,
                               microseconds(event.begin_ns - start),
                               microseconds(event.end_ns - event.begin_ns), event.cycle,
                               event.level));
    file.write("\n]}\n");
    file.commit();
}

} // namespace sme::trace
