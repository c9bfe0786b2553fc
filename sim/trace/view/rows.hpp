// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/folded_name.hpp"
#include "network/graph.hpp"
#include "sme/type.hpp"
#include "trace/names/declarations.hpp"

namespace sme::trace {

enum class Radix : std::uint8_t { binary, decimal, signed_decimal, hexadecimal, real };

/// The role of a signal; a viewer gives each role a colour.
enum class Part : std::uint8_t { data, clock, handshake, choice, state };

/// A row of a viewer: a signal, a group of rows, or a remark.
struct Row {
    enum class Kind : std::uint8_t { signal, group, remark };
    Kind kind = Kind::signal;
    std::string label;    // the name in the network
    std::string signal{}; // the name in the trace, with its scopes and range
    Radix radix = Radix::hexadecimal;
    Part part = Part::data;
    TypeRef enumeration{}; // the enumeration that names the values
    std::vector<Row> rows{};
    std::string type{}; // the name of the type

    /// The number of signals in the row.
    std::uint64_t signals() const;
};

/// Sets the type, radix and part of a row for a value of a scalar type.
void describe(const TypeRef& type, Row& row);

/// Collects the rows of a group. Consecutive members of a family get a group of their own, which
/// shows the first of them.
class RowList {
public:
    /// The maximum number of shown members of a family.
    static constexpr std::uint64_t max_members = 32;

    /// True if a row with this label would be shown; if not, call `skip`.
    bool wants(const std::string& label) const;
    /// Counts members that are not shown; the last has this label.
    void skip(const std::string& label, std::uint64_t count = 1);
    void add(Row row);

    bool empty() const { return rows_.empty(); }
    /// Returns the rows in order: "valid" before its data, "ready" after.
    std::vector<Row> take();

private:
    void close_family();
    bool continues(const FoldedName& name) const;

    std::vector<Row> rows_;
    std::optional<FoldedName> family_; // the family of the last rows
    std::size_t family_begin_ = 0;
    std::uint64_t skipped_ = 0;
    std::string last_label_;
};

/// The rows of a viewer for the trace of a network: the clock, then groups that follow the name
/// hierarchy. Signals have their names from `declare`. Fields written by a reader are next to the
/// fields of the writer: "a.ready" is in the group of "a".
std::vector<Row> rows_of(const Graph& graph, const Traced& traced);

} // namespace sme::trace
