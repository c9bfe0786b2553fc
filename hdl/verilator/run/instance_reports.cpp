// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/run/instances.hpp"

namespace sme::verilator {

void InstanceReports::take(Instance& instance, std::uint64_t position, const Frame& frame) const {
    const std::vector<std::string> lines = instance.model->take_lines();
    const bool ends = instance.model->end() && !instance.ended;
    if (ends && instance.model->end()->how != SME_MODULE_FINISH)
        stopped(*instance.model->end(), lines, position, frame);
    else
        print(instance, lines, position, *frame.control);
    if (ends && instance.model->end()->how == SME_MODULE_FINISH)
        frame.control->halt();
    instance.ended = instance.model->end().has_value();
}

void InstanceReports::print(const Instance& instance, const std::vector<std::string>& lines,
                            std::uint64_t position, Control& control) const {
    const std::string name = family_.instance_name(instance.source);
    std::uint32_t order = 0;
    for (const std::string& line : lines)
        control.print(position, order++, fmt::format("{}: {}", name, line));
}

void InstanceReports::stopped(const Model::End& end, const std::vector<std::string>& lines,
                              std::uint64_t position, const Frame& frame) const {
    const std::string where = end.file.empty() ? "" : fmt::format(" at {}:{}", end.file, end.line);
    constexpr std::size_t shown = 20;
    const std::size_t skipped = lines.size() > shown ? lines.size() - shown : 0;
    const char* const how = end.how == SME_MODULE_INTERRUPTED
                                ? "was interrupted in a loop that had not come to its end, so "
                                  "this cycle is not whole"
                            : end.message.empty() ? "stopped"
                                                  : "failed";
    fault(Code::verilog_stopped, position, frame,
          fmt::format("module '{}' {}{}{}{}", plan_.module.top.text, how, where,
                      end.message.empty() ? "" : ": ", end.message),
          {lines.begin() + static_cast<std::ptrdiff_t>(skipped), lines.end()});
}

void InstanceReports::fault(Code code, std::uint64_t position, const Frame& frame,
                            std::string message, const std::vector<std::string>& printed) const {
    Diagnostic found{code, Severity::fault, {}, std::move(message), {}};
    for (const std::string& line : printed)
        found.note({}, "it printed: " + line);
    frame.control->fault(position, found);
}

} // namespace sme::verilator
