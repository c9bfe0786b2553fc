// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "network/graph.hpp"
#include "sme/internal/archive.hpp"
#include "sme/internal/group.hpp"
#include "sme/type.hpp"

namespace sme::lockstep {

/// Constraints on random values.
struct RandomRules {
    /// A scalar of at most 64 bits is in low … high, inclusive, as a value of its type.
    struct Range {
        std::uint64_t element; // of a bus
        std::uint32_t offset;  // of the scalar in the slot
        std::uint64_t low, high;
        bool needed = true; // an error if it concerns no input
    };
    /// While `valid` is true and `ready` false, the whole element keeps its value.
    struct Handshake {
        std::uint64_t element;
        std::uint32_t valid; // its offset in the slot
        std::uint64_t ready; // a separate element, written by the process
    };
    /// A value to look back at: of an element, in an earlier cycle; zero before cycle 0.
    struct Earlier {
        std::uint64_t element;
        std::uint64_t ago; // in cycles, at least 1
    };
    /// A condition on the values that one cycle reads: a process with an input for each element and
    /// each earlier value, followed by one output, a registered bool.
    struct Assumption {
        std::string text;
        Location where;
        std::vector<std::uint64_t> elements;
        std::vector<Earlier> earlier;
        std::vector<TypeRef> types; // of the elements, then of the earlier values
        std::shared_ptr<const GroupFactory> kind;
        unsigned parts = 1;
        std::uint64_t digest = 0; // of all that the process computes
        bool needed = true;       // an error if it concerns no input
    };
    std::vector<Range> ranges;
    std::vector<Handshake> handshakes;
    std::vector<Assumption> assumptions;

    bool empty() const { return ranges.empty() && handshakes.empty() && assumptions.empty(); }
};

/// The values of the last cycles to which rules look back.
class Lookback {
public:
    Lookback(const Graph& graph, const RandomRules& rules);

    /// The elements whose values are noted, each once, in the order of `note`.
    const std::vector<std::uint64_t>& elements() const { return elements_; }
    /// Notes the values of one cycle. `value_of` returns the place of an element's value.
    template <class ValueOf> void note(ValueOf value_of) {
        for (std::size_t k = 0; k < elements_.size(); ++k)
            std::memcpy(at(k, 0), value_of(k), bytes_[k]);
        ++cycles_;
    }
    const std::byte* value(const RandomRules::Earlier& earlier) const;
    void state(Archive& archive) { archive(cycles_, values_); }

private:
    /// The place of the value noted n cycles ago; with 0, of the next one.
    std::byte* at(std::size_t place, std::uint64_t ago);

    std::vector<std::uint64_t> elements_, depths_;
    std::vector<std::size_t> bytes_, first_; // of each element: in `values_`
    std::vector<std::uint8_t> values_;
    std::uint64_t cycles_ = 0;
};

/// Hashes (seed, place) to a number: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t value);

/// A random canonical value of a scalar: any of its type, or of low … high; the smallest and the
/// largest occur more often.
std::uint64_t random_scalar(const Type& type, std::uint64_t random);
std::uint64_t random_in(const Type& type, std::uint64_t low, std::uint64_t high,
                        std::uint64_t random);

/// Rows of random values under rules: cycle r reads row r. Draws whole rows until all assumptions
/// hold. If that fails, draws single scalars again, and reverts a draw with which fewer assumptions
/// hold. The result depends on the seed only.
class RandomRows {
public:
    static constexpr unsigned whole_draws = 64;
    static constexpr unsigned single_draws = 20'000;

    RandomRows(const Graph& graph, std::vector<std::uint64_t> elements, const RandomRules& rules,
               std::uint64_t seed);
    ~RandomRows();
    RandomRows(const RandomRows&) = delete;
    RandomRows& operator=(const RandomRows&) = delete;

    /// Draws the next row; the elements at `kept` places keep their values. False if no row was
    /// found.
    bool draw(const std::vector<bool>& kept);
    /// The value of an element in the row.
    const std::byte* value(std::size_t place) const { return row_.data() + offsets_[place]; }
    std::size_t bytes(std::size_t place) const { return types_[place]->size(); }
    std::uint64_t rows() const { return rows_; }

    /// Offset of a value in a row; its size is `bytes(place)`.
    std::size_t offset(std::size_t place) const { return offsets_[place]; }
    std::size_t row_bytes() const { return row_.size(); }
    /// True if all assumptions hold for a row after those that were noted.
    bool allows(const std::vector<std::byte>& row);
    Lookback& lookback() { return lookback_; }
    void state(Archive& archive);
    /// The initial values, or the nearest values within the ranges.
    std::vector<std::byte> idle(const Graph& graph,
                                const std::vector<std::uint64_t>& elements) const;
    /// Offset and bytes of each scalar.
    std::vector<std::pair<std::size_t, std::size_t>> scalars() const;
    /// Why the last row was not found.
    Diagnostic problem() const;

private:
    class InvariantChecker;
    struct Scalar {
        std::size_t place;
        std::size_t offset; // in the row
        TypeRef owner;      // keeps `type`
        const Type* type;
        bool ranged = false;
        std::uint64_t low = 0, high = 0;
    };

    void put(const Scalar& scalar, std::uint64_t random);
    std::size_t holding();

    std::vector<TypeRef> types_;
    std::vector<std::size_t> offsets_;
    std::vector<Scalar> scalars_;
    std::vector<std::unique_ptr<InvariantChecker>> judges_;
    Lookback lookback_;
    std::vector<std::byte> row_;
    std::uint64_t seed_;
    std::uint64_t rows_ = 0;
};

/// Adds a process that feeds random values to all inputs of a graph: any value of the type; the
/// smallest and the largest occur more often. The values depend on seed, port and cycle only.
void add_random_values(Graph& graph, std::uint64_t seed);

/// The same under rules (RandomRows), which hold in every cycle, including the first. Ignores rules
/// about other elements. Returns an error if no first values were found.
std::optional<Diagnostic> add_random_values(Graph& graph, std::uint64_t seed,
                                            const RandomRules& rules);

/// Shortens the delays of these elements to one cycle, so that values that belong together arrive
/// together.
void shorten_delays(Graph& graph, const std::vector<std::uint64_t>& inputs);
/// A process that feeds elements row by row: part 0 writes the wires of a row, part 1 the registers
/// of the next. Ports: the elements, then those that it reads: the `ready` of each handshake, and
/// the elements to look back at. The caller sets its kind.
ProcessFamily ruled_feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                              const RandomRules& rules, const std::string& name);
/// The kind of such a process with random values, which change at the edges of a clock.
std::shared_ptr<const GroupFactory> random_feeder(std::vector<std::uint64_t> elements,
                                                  RandomRules rules, std::uint64_t seed,
                                                  ClockRate rate);

/// The rules that concern only these elements, which are sorted, and earlier values of elements
/// that the graph writes.
RandomRules about(const RandomRules& rules, const std::vector<std::uint64_t>& elements,
                  const Graph& graph);

/// Values of inputs: cycle r reads row r.
struct FedRows {
    std::vector<std::uint64_t> elements;
    std::vector<std::size_t> offsets; // by element, in a row
    std::vector<std::vector<std::byte>> rows;
    /// A run with these rows broke a handshake, as the row after an offer that was not accepted
    /// changed it, or a rule that looks back.
    bool broke = false;
};

/// Adds an observer that records the rows of a run.
void add_recorder(Graph& graph, std::shared_ptr<FedRows> into);

/// Adds a process that feeds rows, and repeats the last one. The rows may change before each run;
/// `begin_with` then sets the row of cycle 0.
void add_feeder(Graph& graph, std::shared_ptr<FedRows> rows, const RandomRules& rules);
void begin_with(const FedRows& rows, Graph& graph);

} // namespace sme::lockstep
