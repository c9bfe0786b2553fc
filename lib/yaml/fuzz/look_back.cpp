// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/look_back.hpp"

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

const char* word_of(bool value) {
    return value ? "true" : "false";
}

} // namespace

std::string LookBack::check() {
    const unsigned cycle = m_.choices.below(static_cast<unsigned>(values_.size()));
    if (!type_->is_integer())
        return past(cycle);
    switch (m_.choices.below(3)) {
    case 0: return past(cycle);
    case 1: return edge(cycle);
    default: return temporal();
    }
}

Bits LookBack::before(unsigned cycle, unsigned back) const {
    return back > cycle ? Bits(type_->width, false) : values_[cycle - back];
}

std::string LookBack::past(unsigned cycle) {
    const bool one = m_.choices.chance(40);
    const unsigned back = one ? 1 : m_.choices.between(1, 6);
    const bool same = before(cycle, back) == values_[cycle];
    if (one && m_.choices.chance(50)) {
        m_.use(Production::stable_value);
        return fmt::format("- at {}: stable({}) == {}", cycle, place_, word_of(same));
    }
    m_.use(Production::past_value);
    const std::string text =
        one ? fmt::format("past({})", place_) : fmt::format("past({}, {})", place_, back);
    if (type_->is_integer() && m_.choices.chance(50))
        return fmt::format("- at {}: {} == {}", cycle, text,
                           number_text(before(cycle, back), type_->is_signed));
    return fmt::format("- at {}: ({} == {}) == {}", cycle, text, place_, word_of(same));
}

LookBack::Condition LookBack::condition() {
    const Bits& value = values_[m_.choices.below(static_cast<unsigned>(values_.size()))];
    Condition result{fmt::format("{} == {}", place_, number_text(value, type_->is_signed)), {}};
    for (const Bits& each : values_)
        result.holds.push_back(each == value);
    return result;
}

std::string LookBack::edge(unsigned cycle) {
    const Condition about = condition();
    const bool rose = m_.choices.chance(50);
    m_.use(rose ? Production::rose_value : Production::fell_value);
    const bool now = about.holds[cycle], then = cycle > 0 && about.holds[cycle - 1];
    return fmt::format("- at {}: {}({}) == {}", cycle, rose ? "rose" : "fell", about.text,
                       word_of(rose ? now && !then : then && !now));
}

/// Evaluates the temporal condition from each starting cycle.
std::string LookBack::temporal() {
    const Condition a = condition(), b = condition();
    const unsigned last = m_.choices.between(1, 5);
    const bool within = m_.choices.chance(50);
    const unsigned first = within ? 1 : m_.choices.between(1, last);
    bool some_met = false, some_late = false;
    for (std::size_t begin = 0; begin < values_.size(); ++begin) {
        bool met = false;
        for (std::size_t t = begin + first; t <= begin + last && t < values_.size(); ++t)
            met = met || b.holds[t];
        some_met = some_met || (a.holds[begin] && met);
        some_late = some_late || (a.holds[begin] && !met && begin + last < values_.size());
    }
    const std::string when = within          ? fmt::format("within {}", last)
                             : first == last ? fmt::format("in {}", last)
                                             : fmt::format("in {} to {}", first, last);
    m_.use(within          ? Production::temporal_within
           : first == last ? Production::temporal_in
                           : Production::temporal_window);
    const char* const kind = !some_late ? "always" : !some_met ? "never" : "cover";
    return fmt::format("- {}: {} then {} {}", kind, a.text, b.text, when);
}

} // namespace sme::fuzz
