// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/graph.hpp"
#include "network/pair.hpp"
#include "sme/compare.hpp"

namespace sme::lockstep {

/// Reduces inputs that show a difference: first to fewer rows, then to more idle values. The result
/// depends on the rows only, unless `give_up` ends the search.
struct Shrink {
    using Row = std::vector<std::byte>;

    /// Runs rows; returns the cycle of the difference, or `nullopt`.
    std::function<std::optional<std::uint64_t>(const std::vector<Row>&)> differs;
    std::function<bool(const Row&)> allowed; // by rules
    std::function<bool()> give_up;
    Row idle;
    std::vector<std::pair<std::size_t, std::size_t>> scalars; // offset and bytes, in a row

    static constexpr std::uint64_t most_trials = 2000;
    static constexpr std::uint64_t most_cycles = 2'000'000; // in all trials

    /// Reduces rows that show a difference.
    std::vector<Row> run(std::vector<Row> rows);
    /// The number of scalars that are not idle.
    std::size_t active(const std::vector<Row>& rows) const;

    bool stopped = false; // before the reduction was complete

private:
    bool take(std::vector<Row> rows);
    void drop_rows();
    void idle_values();
    bool make_idle(std::size_t first, std::size_t count, std::size_t from, std::size_t to);

    std::vector<Row> best_;
    std::uint64_t trials_ = 0, cycles_ = 0;
};

/// The processes of a pair alone. Renumbers the pair.
Graph isolated(const Graph& graph, Pair& pair);

/// The bus elements that the processes of a graph read and do not write, without constants.
std::vector<std::uint64_t> open_inputs(const Graph& graph);

/// Makes the families of which no process writes an element inputs, which the simulator's user
/// pokes and which keep their values; except constants and states.
void make_inputs(Graph& graph);

/// A process that feeds these elements: its ports and its part. The caller sets its kind.
ProcessFamily feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                        const std::string& name);

/// The slot bytes of an element's initial value; all zero without one.
std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t element);
/// Changes the initial value of that element alone.
void set_initial(Graph& graph, std::uint64_t element, const std::byte* value);

/// The result of comparing a pair. Updated during the run.
struct Comparison : Agreement {
    Pair pair;
};

/// Adds the observer that compares a pair. A difference ends the run after its cycle.
std::shared_ptr<const Comparison> add_comparison(Graph& graph, const Pair& pair);

} // namespace sme::lockstep
