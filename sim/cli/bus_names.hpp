// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "trace/collect/selection.hpp"

namespace sme::cli {

/// Why the first of these patterns that no bus matches matches none, with names that are near it;
/// empty: each matches some. `state`: states count, too.
std::string unmatched(const Graph& graph, const std::vector<std::string>& patterns, bool state);

/// Puts named things in the order of the patterns that match their names; those of one pattern stay
/// as they are.
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

/// The patterns as one selection.
std::string joined(const std::vector<std::string>& patterns);

} // namespace sme::cli
