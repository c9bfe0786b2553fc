// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/loop_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::hdl {

std::string LoopText::close() {
    std::string lines = std::move(loops_.back().lines);
    loops_.pop_back();
    return lines;
}

std::optional<std::string> LoopText::kept(const std::string& text) const {
    const auto found = loops_.back().kept.find(text);
    return found == loops_.back().kept.end() ? std::nullopt : std::optional{found->second};
}

void LoopText::keep(const std::string& name, const std::string& text) {
    loops_.back().kept[text] = name;
    add(fmt::format("{} = {};\n", name, text));
}

void LoopText::add(const std::string& statements) {
    loops_.back().lines += statements;
}

std::string indented(const std::string& lines, const std::string& indent) {
    std::string made;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
        made += indent + lines.substr(begin, end - begin);
        begin = end;
    }
    return made;
}

std::string for_loops(const std::vector<LoopRange>& ranges, const std::string& statements) {
    std::string made = statements;
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range)
        made = fmt::format("for ({0} = {1}; {0} < {2}; {0} = {0} + 1) begin\n{3}end\n",
                           range->variable, to_string(range->low), to_string(range->end),
                           indented(made, "    "));
    return made;
}

} // namespace sme::hdl
