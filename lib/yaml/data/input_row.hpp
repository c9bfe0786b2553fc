// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "sme/type.hpp"
#include "yaml/data/data_file.hpp"

namespace sme::yaml {

/// The scalars in a row of a data file, in order.
struct DataColumns {
    std::vector<std::string> names;
    std::vector<const Type*> types;
    std::vector<std::vector<std::string>> also; // alternative headers

    /// Adds a scalar named `prefix` plus its path without the leading dot; `whole` names a value
    /// that is a single scalar.
    void add(const Leaf& scalar, const std::string& prefix, const std::string& whole);
};

/// Decides whether a first line of names is the header or a row of enumeration members. It is the
/// header if it matches the columns or, for one column, the name of the file; the file then takes
/// the names of the columns. Otherwise reports the expected columns; `needs` is the subject: "'x'
/// needs".
bool settle_header(DataFile& file, const DataColumns& columns, const std::string& needs,
                   Diagnostics& diagnostics);

/// Appends the leaves of a row, canonical and sign-extended. Reports values outside a type, and a
/// row of the wrong length; `needs` is the subject ("'x' needs", "a row has").
bool add_row(const DataFile& file, std::size_t number, const DataColumns& columns,
             const std::string& needs, std::vector<std::uint64_t>& into, Diagnostics& diagnostics);

/// Appends a slot with these scalars as bytes.
void put_leaves(const Type& type, const std::uint64_t* leaves, std::vector<std::byte>& slots);

/// The layout of an input row: the scalars of all elements of a family of buses. A stream omits
/// 'valid', which is true for every row.
class InputRow {
public:
    /// `name` is the name of the bus or channel in the file.
    InputRow(const BusFamily& bus, std::string name, bool stream);

    struct Scalar {
        std::string element; // "[3]" in a family, else ""
        std::string path;    // ".pair.low", or ""
        const Type* type;
    };
    const std::vector<Scalar>& scalars() const { return scalars_; }
    /// Returns the layout as columns of a file.
    DataColumns columns() const;

    /// Appends the slots of a row from its words, scalar by scalar, lowest word first.
    void put(const std::vector<std::uint64_t>& words, std::vector<std::byte>& slots) const;

    const BusFamily& bus() const { return bus_; }
    const std::string& name() const { return name_; }
    bool stream() const { return stream_; }

private:
    bool is_channel() const { return static_cast<bool>(bus_.channel); }
    bool gives(const std::string& path) const { return !stream_ || path != ".valid"; }

    const BusFamily& bus_;
    std::string name_;
    bool stream_;
    std::vector<Scalar> scalars_;
    std::vector<bool> given_; // by leaf of an element
};

} // namespace sme::yaml
