// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "bits/integer.hpp"

namespace sme::yaml {

/// A number or a name in a data file, with its location.
struct DataValue {
    enum class Kind : std::uint8_t {
        number,
        long_number, // of more than 126 bits, as written
        decimal,     // with a point, as written
        name,
        missing, // an empty cell
    };
    Integer value;
    std::uint32_t line;
    std::uint32_t column;
    std::uint32_t length = 1; // in bytes
    Kind kind = Kind::number;
};

/// A file of numbers: the rows of a .csv, the words of a .hex, or the bytes of any other file.
struct DataFile {
    SourceRef source;
    std::vector<std::string> columns; // for a .csv with a header
    std::vector<DataValue> header;    // the header parsed as a row, if it could be one
    Location header_at;
    std::vector<DataValue> values;     // row by row
    std::vector<std::size_t> row_ends; // in `values`; empty: each value is a row

    std::size_t row_count() const { return row_ends.empty() ? values.size() : row_ends.size(); }
    std::span<const DataValue> row(std::size_t number) const {
        if (row_ends.empty())
            return {values.data() + number, 1};
        const std::size_t begin = number == 0 ? 0 : row_ends[number - 1];
        return {values.data() + begin, row_ends[number] - begin};
    }
    Location at(const DataValue& value) const;
    /// Returns a name, a decimal or a long number, in the form that parse_words accepts after a
    /// sign.
    std::string text_of(const DataValue& value) const;
};

/// Returns "'+3' is no number; write 3" for a cell of a .csv.
std::string no_number(std::string_view cell);

/// Reads a data file. `.hex`: words of hexadecimal digits, `//` and `#` begin comments; `.csv`:
/// numbers (12, -3, 0x1f, 0.75, true, false) and names between commas, with or without a header
/// line, and lines "# text" as comments; other files: bytes. `asked_at` is where the network names
/// the file. `nullopt` if unreadable. With `gaps`, cells may be empty, as in a trace; otherwise
/// they are an error.
std::optional<DataFile> read_data(const std::string& path, const Location& asked_at,
                                  Diagnostics& diagnostics, bool gaps = false);

} // namespace sme::yaml
