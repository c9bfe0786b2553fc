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

const char* reason_of(Stop::Reason reason) {
    switch (reason) {
    case Stop::Reason::breakpoint: return "breakpoint";
    case Stop::Reason::check:
    case Stop::Reason::fault: return "exception";
    case Stop::Reason::step: return "step";
    default: return "pause";
    }
}

Json stopped_body(const Stop& stop, const char* reason) {
    Json body{{"reason", reason}, {"threadId", 1}, {"allThreadsStopped", true}};
    if (!stop.text.empty()) {
        body["description"] = stop.text;
        body["text"] = stop.text;
    }
    if (stop.reason == Stop::Reason::breakpoint)
        body["hitBreakpointIds"] = Json::array({stop.breakpoint});
    return body;
}

bool is_exception(const Stop& stop) {
    return stop.reason == Stop::Reason::check || stop.reason == Stop::Reason::fault;
}

Json exception_body(const Stop& stop) {
    return {{"exceptionId", stop.reason == Stop::Reason::check ? "check" : "fault"},
            {"description", stop.text},
            {"breakMode", "always"}};
}

} // namespace sme::debug
