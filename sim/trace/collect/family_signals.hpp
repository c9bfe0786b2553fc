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

/// The traced parts of a network.
struct Traced {
    Selection selection;
    bool state;                          // trace private states, too
    std::vector<TracedWords> words = {}; // traced memories and lets

    bool may_take(const BusFamily& bus) const { return state || !bus.state || bus.traced; }

    /// Families have numbers: first the buses in the order of the network, then memories and lets,
    /// which are always traced completely.
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
    /// The selection that applies to a family.
    const Selection& selection_of(const Graph& graph, std::size_t number) const {
        static const Selection all{""};
        return is_chosen(graph, number) ? all : selection;
    }
};

/// True if the bus is the clock inside a module. Signals inside a module are wires, but the clock
/// has no value within a cycle; a trace shows the clock of the run instead.
inline bool is_inside_clock(const BusFamily& bus) {
    return bus.traced && !bus.wire();
}

/// Selects the traced scalars of the elements of one family, and gives the finder the positions of
/// their values. Every selected scalar of an element is a signal.
class FamilySignals {
public:
    FamilySignals(const BusFamily& bus, const Segments& slots, ChangeFinder& finder)
        : bus_{bus}, slots_{slots}, finder_{finder}, scalars_{bus.type->scalars()} {}
    /// Takes the family with this number.
    FamilySignals(const Traced& traced, std::size_t number, const Observed& observed,
                  ChangeFinder& finder);

    FamilySignals(const FamilySignals&) = delete;
    FamilySignals& operator=(const FamilySignals&) = delete;

    const std::vector<Leaf>& scalars() const { return scalars_; }
    /// The name of an element, in the network and in selections; the names of its `scalars`
    /// continue it.
    std::string name(std::uint64_t element) const {
        return bus_.shape.element_name(bus_.name, element);
    }

    /// Called for each element with traced scalars, in order, with their numbers.
    using Declare =
        std::function<void(std::uint64_t element, const std::vector<std::uint32_t>& scalars)>;

    /// Takes `count` elements from `first`. Numbers their signals from `signal`, and returns the
    /// next free number.
    std::uint32_t take(std::uint64_t first, std::uint64_t count, const Selection& selection,
                       std::uint32_t signal, const Declare& declare);

private:
    std::vector<std::uint32_t> chosen_of(std::uint64_t element, const Selection& selection) const;
    void add_run(std::uint64_t first, std::uint64_t count,
                 const std::vector<std::uint32_t>& scalars, std::uint32_t signal);
    std::vector<TracedLeaf> leaves_of(const std::vector<std::uint32_t>& scalars) const;

    const BusFamily& bus_;
    PlacedWords words_; // for a memory
    const Segments& slots_;
    ChangeFinder& finder_;
    const std::vector<Leaf> scalars_;
};

} // namespace sme::trace
