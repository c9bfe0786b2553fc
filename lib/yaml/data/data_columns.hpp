// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

} // namespace sme::yaml
