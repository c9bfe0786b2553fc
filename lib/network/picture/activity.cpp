// SPDX-License-Identifier: Apache-2.0
#include "network/picture/activity.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme {

void BusActivity::add(const BusActivity& other) {
    stream |= other.stream;
    active += other.active;
    most += other.most;
}

double BusActivity::share() const {
    return most == 0 ? 0.0 : static_cast<double>(active) / static_cast<double>(most);
}

std::string share_text(double share) {
    if (share <= 0)
        return "0 %";
    return share >= 1 ? "100 %" : fmt::format("{:.1f} %", std::clamp(share * 100, 0.1, 99.9));
}

std::string activity_text(const std::string& name, const BusActivity& activity) {
    const std::string_view unit = activity.stream ? "item" : "change";
    return fmt::format("{}: {} {}{}, at most {}", name, activity.active, unit,
                       activity.active == 1 ? "" : "s", activity.most);
}

} // namespace sme
