// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/picture/folded_name.hpp"
#include "sme/type.hpp"

namespace sme::trace {

enum class Radix : std::uint8_t { binary, decimal, signed_decimal, hexadecimal, real };

/// What a signal is for; a viewer gives each its colour.
enum class Part : std::uint8_t { data, clock, handshake, choice, state };

/// What a viewer shows on one line: a signal, a group of lines, or a remark.
struct Row {
    enum class Kind : std::uint8_t { signal, group, remark };
    Kind kind = Kind::signal;
    std::string label;    // as the network calls it
    std::string signal{}; // as the trace calls it, with its scopes and its range
    Radix radix = Radix::hexadecimal;
    Part part = Part::data;
    TypeRef enumeration{}; // whose members name the values
    std::vector<Row> rows{};
    std::string type{}; // its name

    /// How many signals are in it.
    std::uint64_t signals() const;
};

/// Type, radix and part of a value of a scalar type.
void describe(const TypeRef& type, Row& row);

/// Collects the lines of a group. Members of a family, one after another, get a group of their own,
/// which shows the first of them.
class RowList {
public:
    /// How many members of a family are shown.
    static constexpr std::uint64_t max_members = 32;

    /// Whether a line with this label would be shown; if not, `skip` it.
    bool wants(const std::string& label) const;
    /// Counts members that are not shown, the last of which has this label.
    void skip(const std::string& label, std::uint64_t count = 1);
    void add(Row row);

    bool empty() const { return rows_.empty(); }
    /// In order: "valid" goes before the data that it is about, "ready" behind.
    std::vector<Row> take();

private:
    void close_family();
    bool continues(const FoldedName& name) const;

    std::vector<Row> rows_;
    std::optional<FoldedName> family_; // of the last rows
    std::size_t family_begin_ = 0;
    std::uint64_t skipped_ = 0;
    std::string last_label_;
};

} // namespace sme::trace
