// SPDX-License-Identifier: Apache-2.0
#include "trace/waveform/waveform.hpp"

#include <algorithm>

#include "bits/scalar_text.hpp"

namespace sme::trace {

std::size_t Changes::at(std::uint64_t cycle) const {
    const auto later = std::upper_bound(
        cycles_.begin(), cycles_.end(), cycle,
        [](std::uint64_t wanted, std::uint64_t change) { return wanted < (change & ~unknown); });
    return later == cycles_.begin() ? none : static_cast<std::size_t>(later - cycles_.begin()) - 1;
}

void Changes::add(std::uint64_t cycle, std::span<const std::uint64_t> value) {
    cycles_.push_back(cycle);
    values_.insert(values_.end(), value.begin(), value.end());
}

void Changes::add_unknown(std::uint64_t cycle) {
    cycles_.push_back(cycle | unknown);
    values_.resize(values_.size() + words_);
}

void Changes::forget_before(std::uint64_t cycle) {
    const std::size_t first = at(cycle);
    if (first == none)
        return;
    const auto kept = static_cast<std::ptrdiff_t>(first);
    cycles_ = {cycles_.begin() + kept, cycles_.end()};
    values_ = {values_.begin() + kept * static_cast<std::ptrdiff_t>(words_), values_.end()};
    cycles_[0] = cycle | (cycles_[0] & unknown);
}

std::vector<std::string_view> Signal::path() const {
    std::vector<std::string_view> made;
    std::string_view rest = name;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
        made.push_back(rest.substr(0, dot));
        rest.remove_prefix(dot + 1);
    }
    made.push_back(rest);
    return made;
}

std::string Signal::text(std::size_t k) const {
    return changes.is_known(k) ? scalar_text(*type, changes.value(k).data()) : "x";
}

std::uint64_t Waveform::changes() const {
    std::uint64_t sum = 0;
    for (const Signal& signal : signals)
        sum += signal.changes.size();
    return sum;
}

} // namespace sme::trace
