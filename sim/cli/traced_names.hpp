// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "network/graph.hpp"
#include "sme/internal/group.hpp"
#include "trace/collect/memories.hpp"
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

/// Notes the memories that a trace of states leaves out, because their words are not on buses.
/// Empty without such memories. `what` has the trace, `select` names what it traces.
std::string memories_left_out(const std::string& what, const Graph& graph,
                              const std::string& select,
                              const std::vector<trace::TracedWords>& traced);

/// The lets of --trace-let, with their values during the run.
class TracedLets {
public:
    static constexpr std::size_t max_lets = 4096; // each is evaluated in every cycle

    explicit TracedLets(const std::string& patterns)
        : patterns_{trace::split_patterns(patterns)}, matched_(patterns_.size(), false) {}

    /// True if a let with this name is traced.
    bool wants(const std::string& name);
    /// Creates the observer that stores the value where `words` says. This must outlive it.
    std::shared_ptr<const GroupFactory> observe(std::shared_ptr<const expr::Probe> probe,
                                                const std::string& name);
    std::vector<trace::TracedWords> words() const;
    /// The error in --trace-let; empty if valid.
    std::string problem() const;

private:
    struct Let {
        std::string name;
        TypeRef type;
        std::vector<std::byte> slot;
    };

    std::vector<std::string> patterns_;
    std::vector<bool> matched_;
    std::vector<std::string> others_; // the first lets without a matching pattern, in quotes
    std::size_t all_others_ = 0;
    std::deque<Let> lets_;
    std::size_t wanted_ = 0;
};

} // namespace sme::cli
