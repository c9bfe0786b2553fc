// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sme/type.hpp"
#include "yaml/data/data_file.hpp"

namespace sme::yaml {

/// The scalars that a row of a data file gives, in order.
struct DataColumns {
    std::vector<std::string> names;
    std::vector<const Type*> types;
    std::vector<std::vector<std::string>> also; // other headers

    /// A scalar is named by its path without the leading dot, `prefix` before it; `whole` names a
    /// value that is one scalar.
    void add(const Leaf& scalar, const std::string& prefix, const std::string& whole);
};

/// Decides what a first line of names is: the header, which then has the names of the columns if it
/// is one of theirs or, for one column, the name of the file; or a row of members of enumerations.
/// Otherwise reports what the columns are for: "'x' needs".
bool settle_header(DataFile& file, const DataColumns& columns, const std::string& needs,
                   Diagnostics& diagnostics);

/// Appends the leaves of a row, canonical and sign-extended. Reports what a type cannot take, and a
/// row of another length than `needs` ("'x' needs", "a row has").
bool add_row(const DataFile& file, std::size_t number, const DataColumns& columns,
             const std::string& needs, std::vector<std::uint64_t>& into, Diagnostics& diagnostics);

/// Appends the bytes of a slot with these scalars.
void put_leaves(const Type& type, const std::uint64_t* leaves, std::vector<std::byte>& slots);

} // namespace sme::yaml
