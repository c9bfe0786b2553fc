// SPDX-License-Identifier: Apache-2.0
#include "debug/bodies.hpp"

namespace sme::debug {

Json capabilities() {
    const auto filter = [](const char* name, const char* label) {
        return Json{{"filter", name}, {"label", label}, {"default", true}};
    };
    return {{"supportsConfigurationDoneRequest", true},
            {"supportsConditionalBreakpoints", true},
            {"supportsEvaluateForHovers", true},
            {"supportsStepBack", true},
            {"supportsSetVariable", true},
            {"supportsTerminateRequest", true},
            {"supportsExceptionInfoRequest", true},
            {"exceptionBreakpointFilters",
             Json::array({filter("check", "Failed checks"), filter("fault", "Faults")})}};
}

const char* reason_of(const Stop& stop) {
    if (!stop.end)
        return stop.breakpoint != 0 ? "breakpoint" : "step";
    return is_exception(stop) ? "exception" : "pause";
}

Json stopped_body(const Stop& stop, const char* reason) {
    Json body{{"reason", reason}, {"threadId", 1}, {"allThreadsStopped", true}};
    if (!stop.text.empty()) {
        body["description"] = stop.text;
        body["text"] = stop.text;
    }
    if (stop.breakpoint != 0)
        body["hitBreakpointIds"] = Json::array({stop.breakpoint});
    return body;
}

bool is_exception(const Stop& stop) {
    return stop.end == RunEnd::check_failed || stop.end == RunEnd::faulted;
}

Json exception_body(const Stop& stop) {
    return {{"exceptionId", stop.end == RunEnd::check_failed ? "check" : "fault"},
            {"description", stop.text},
            {"breakMode", "always"}};
}

} // namespace sme::debug
