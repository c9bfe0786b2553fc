// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "trace/collect/selection.hpp"

namespace sme::cli {

/// Explains why the first pattern without a matching bus matches none, and suggests similar names.
/// Empty if each pattern matches a bus. `state`: patterns may also match states.
std::string unmatched(const Graph& graph, const std::vector<std::string>& patterns, bool state);

/// Sorts named things by the first pattern that matches their names; things that match the same
/// pattern keep their order.
template <class Named>
void order_by(std::vector<Named>& things, const std::vector<std::string>& patterns) {
    std::vector<trace::Selection> selections{patterns.begin(), patterns.end()};
    const auto place = [&](const Named& thing) {
        return std::find_if(selections.begin(), selections.end(),
                            [&](const auto& selection) { return selection.matches(thing.name); });
    };
    if (selections.size() > 1)
        std::stable_sort(things.begin(), things.end(),
                         [&](const Named& a, const Named& b) { return place(a) < place(b); });
}

/// Joins the patterns into one selection.
std::string joined(const std::vector<std::string>& patterns);

} // namespace sme::cli
