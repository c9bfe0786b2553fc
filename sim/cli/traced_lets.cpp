// SPDX-License-Identifier: Apache-2.0
#include "cli/traced_lets.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/counted.hpp"
#include "interpret/observers/value.hpp"
#include "network/build.hpp"

namespace sme::cli {

bool TracedLets::wants(const std::string& name) {
    bool wanted = false;
    for (std::size_t k = 0; k < patterns_.size(); ++k)
        if (trace::Selection{patterns_[k]}.matches(name))
            wanted = matched_[k] = true;
    if (!wanted && ++all_others_ <= max_named)
        others_.push_back(fmt::format("'{}'", name));
    return wanted && ++wanted_ <= max_lets;
}

std::shared_ptr<const GroupFactory> TracedLets::observe(std::shared_ptr<const expr::Probe> probe,
                                                        const std::string& name) {
    Let& let = lets_.emplace_back(Let{name, probe->type, {}});
    let.slot.resize(slot_size(trace::traced_let(name, let.type, nullptr).words));
    return interpret::value_factory(
        std::move(probe), [&let](std::span<const std::byte> value, const std::string&) {
            std::copy(value.begin(), value.end(), let.slot.begin());
            const auto marks = let.slot.begin() + static_cast<std::ptrdiff_t>(let.type->size());
            std::fill(marks, let.slot.end(), value.empty() ? std::byte{0} : std::byte{1});
        });
}

std::vector<trace::TracedWords> TracedLets::words() const {
    std::vector<trace::TracedWords> made;
    for (const Let& let : lets_)
        made.push_back(trace::traced_let(let.name, let.type, let.slot.data()));
    return made;
}

std::string TracedLets::problem() const {
    if (wanted_ > max_lets)
        return fmt::format("--trace-let asks for {} lets, but at most {} are traced; choose fewer",
                           wanted_, max_lets);
    const auto unmatched = std::find(matched_.begin(), matched_.end(), false);
    if (unmatched == matched_.end())
        return {};
    const std::string there = others_.empty()
                                  ? wanted_ == 0 ? "the network has none" : "there is no other one"
                                  : "there is " + listed(others_, max_named, all_others_);
    return fmt::format("no let matches '{}'; {}",
                       patterns_[static_cast<std::size_t>(unmatched - matched_.begin())], there);
}

} // namespace sme::cli
