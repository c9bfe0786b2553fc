// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "network/segments.hpp"
#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/memories.hpp"
#include "trace/collect/selection.hpp"

namespace sme::trace {

/// What of a network is traced.
struct Traced {
    Selection selection;
    bool state;                          // private state as well
    std::vector<TracedWords> words = {}; // memories and lets as well

    bool may_take(const BusFamily& bus) const { return state || !bus.state || bus.traced; }

    /// Families are numbered: those of buses, as in the network, then memories and lets,
    /// of which all is chosen already.
    std::size_t families(const Graph& graph) const { return graph.buses.size() + words.size(); }
    bool is_chosen(const Graph& graph, std::size_t number) const {
        return number >= graph.buses.size();
    }
    const BusFamily& family(const Graph& graph, std::size_t number) const {
        return is_chosen(graph, number) ? words[number - graph.buses.size()].words
                                        : graph.buses[number];
    }
    bool may_take(const Graph& graph, std::size_t number) const {
        return is_chosen(graph, number) || may_take(graph.buses[number]);
    }
    /// What is taken of a family that may be taken.
    const Selection& selection_of(const Graph& graph, std::size_t number) const {
        static const Selection all{""};
        return is_chosen(graph, number) ? all : selection;
    }
};

/// Whether it is the clock of a module, among the signals inside: these are wires, but the clock
/// has no value within a cycle. A trace shows the clock of the run.
inline bool is_inside_clock(const BusFamily& bus) {
    return bus.traced && !bus.wire();
}

/// Chooses what is traced of the elements of one family, and tells the finder where those values
/// lie. Every chosen scalar of an element is a signal.
class FamilySignals {
public:
    FamilySignals(const BusFamily& bus, const Segments& slots, ChangeFinder& finder)
        : bus_{bus}, slots_{slots}, finder_{finder}, scalars_{bus.type->scalars()} {}
    /// The family of this number.
    FamilySignals(const Traced& traced, std::size_t number, const Observed& observed,
                  ChangeFinder& finder);

    FamilySignals(const FamilySignals&) = delete;
    FamilySignals& operator=(const FamilySignals&) = delete;

    const std::vector<Leaf>& scalars() const { return scalars_; }
    /// The name of an element, which its `scalars` continue, in the network and in selections.
    std::string name(std::uint64_t element) const {
        return bus_.shape.element_name(bus_.name, element);
    }

    /// Is called for each element of which something is traced, in their order, with the numbers
    /// of its traced scalars.
    using Declare =
        std::function<void(std::uint64_t element, const std::vector<std::uint32_t>& scalars)>;

    /// Takes `count` elements from `first` on. Numbers their signals from `signal` on and returns
    /// the number after the last.
    std::uint32_t take(std::uint64_t first, std::uint64_t count, const Selection& selection,
                       std::uint32_t signal, const Declare& declare);

private:
    std::vector<std::uint32_t> chosen_of(std::uint64_t element, const Selection& selection) const;
    void add_run(std::uint64_t first, std::uint64_t count,
                 const std::vector<std::uint32_t>& scalars, std::uint32_t signal);
    std::vector<TracedLeaf> leaves_of(const std::vector<std::uint32_t>& scalars) const;

    const BusFamily& bus_;
    PlacedWords words_; // of a memory
    const Segments& slots_;
    ChangeFinder& finder_;
    const std::vector<Leaf> scalars_;
};

} // namespace sme::trace
