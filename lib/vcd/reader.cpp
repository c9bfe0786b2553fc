// SPDX-License-Identifier: Apache-2.0
#include "vcd/reader.hpp"

#include "vcd/scanner.hpp"

namespace sme::vcd {

Reader::Reader(const std::string& path)
    : window_{path}, cursor_{path, window_}, scanner_{cursor_, codes_, signals_} {
    begin();
}

Reader::Reader(const std::string& name, std::string_view text, std::size_t block)
    : window_{text, block}, cursor_{name, window_}, scanner_{cursor_, codes_, signals_} {
    begin();
}

void Reader::begin() {
    cursor_.at = window_.whole();
    problem_ = parse_header(cursor_, declarations_, codes_);
    if (problem_)
        return;
    for (const Signal& signal : declarations_.signals)
        signals_.add(signal);
    more_ = scanner_.find();
}

void Reader::take() {
    signals_.forget_changes();
    scanner_.take();
    more_ = scanner_.find();
}

std::string full_name(const Declarations& declarations, const Variable& variable) {
    std::string name = declarations.path(variable.scope);
    if (!name.empty())
        name += '.';
    name += variable.name;
    return variable.range.find(':') == std::string::npos ? name + variable.range : name;
}

} // namespace sme::vcd
