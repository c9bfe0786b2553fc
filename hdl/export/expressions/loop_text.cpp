// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/loop_text.hpp"

#include "export/rtl/verilog.hpp"

namespace sme::hdl {

rtl::Statements LoopText::close() {
    rtl::Statements lines = std::move(loops_.back().lines);
    loops_.pop_back();
    return lines;
}

std::optional<std::vector<rtl::Net>> LoopText::close_elements() {
    const Open last = std::move(loops_.back());
    loops_.pop_back();
    return last.lines.empty() ? std::optional{last.nets} : std::nullopt;
}

std::optional<std::string> LoopText::kept(const ExprRef& value) const {
    const auto found = loops_.back().kept.find(rtl::verilog(value));
    return found == loops_.back().kept.end() ? std::nullopt : std::optional{found->second};
}

void LoopText::keep(const std::string& name, const Type& type, const ExprRef& value) {
    loops_.back().kept[rtl::verilog(value)] = name;
    if (in_elements()) {
        loops_.back().nets.push_back({declared(name, type), false, 0, value});
        return;
    }
    loops_.back().lines.push_back(rtl::Statement::assign(
        Place::all_of(name, type.width_bits(), type.is_signed()), value, false));
}

void LoopText::add(rtl::Statement start, rtl::Statements statements) {
    loops_.back().lines.push_back(std::move(start));
    append(loops_.back().lines, std::move(statements));
}

rtl::Statements for_loops(const std::vector<LoopRange>& ranges, rtl::Statements statements) {
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
        rtl::Statement loop =
            rtl::Statement::loop(range->variable, range->low, range->end, std::move(statements));
        statements.clear();
        statements.push_back(std::move(loop));
    }
    return statements;
}

} // namespace sme::hdl
