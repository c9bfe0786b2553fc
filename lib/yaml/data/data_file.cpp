// SPDX-License-Identifier: Apache-2.0
#include "yaml/data/data_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "bits/decimal.hpp"
#include "bits/integer.hpp"
#include "bits/scalar_text.hpp"
#include "expr/syntax/lexer.hpp"
#include "sme/type.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

namespace {

constexpr std::size_t max_values = 10'000'000;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_hex(const std::string& path) {
    return path.ends_with(".hex");
}

/// Returns a decimal number without leading zeros.
std::string_view without_zeros(std::string_view text) {
    while (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9')
        text.remove_prefix(1);
    return text;
}

/// Returns true for "# text"; "#3" is not a comment, so no row is silently dropped.
bool is_comment(std::string_view line) {
    return line.starts_with('#') && (line.size() == 1 || line[1] == ' ' || line[1] == '\t');
}

std::optional<Integer> number_in(std::string_view text) {
    if (text == "true")
        return 1;
    if (text == "false")
        return 0;
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);
    const std::optional<Integer> value = parse_integer(without_zeros(text));
    return value && negative ? std::optional{-*value} : value;
}

/// Returns the SME spelling of a number from another program: "3" for "+3" and "\"3\"", "true" for
/// "TRUE". Empty for anything else.
std::string_view number_meant(std::string_view cell) {
    if (cell == "TRUE" || cell == "True")
        return "true";
    if (cell == "FALSE" || cell == "False")
        return "false";
    if (cell.size() > 2 && cell.starts_with('"') && cell.ends_with('"'))
        cell = trimmed(cell.substr(1, cell.size() - 2));
    if (cell.starts_with('+'))
        cell.remove_prefix(1);
    return number_in(cell) ? cell : std::string_view{};
}

/// Returns the value of hexadecimal digits; optimised for short words.
std::optional<Integer> hex_number(std::string_view digits) {
    std::uint64_t value = 0;
    bool is_short = !digits.empty() && digits.size() <= 16;
    for (std::size_t k = 0; is_short && k < digits.size(); ++k) {
        const unsigned digit = digit_value(digits[k]);
        is_short = digit < 16;
        value = value << 4 | digit;
    }
    return is_short ? Integer{value} : parse_integer(fmt::format("0x{}", digits));
}

/// Returns the first word of a line at or after `at`; empty if absent.
std::string_view word_from(std::string_view line, std::size_t at) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (at < line.size() && is_space(line[at]))
        ++at;
    std::size_t end = at;
    while (end < line.size() && !is_space(line[end]))
        ++end;
    return line.substr(at, end - at);
}

class Reader {
public:
    Reader(SourceRef source, bool gaps, Diagnostics& diagnostics)
        : gaps_{gaps}, diagnostics_{diagnostics} {
        file_.source = std::move(source);
    }

    std::optional<DataFile> csv() {
        const Source& source = *file_.source;
        bool first = true;
        for (std::uint32_t n = 1; n <= source.line_count(); ++n) {
            const std::string_view line = source.line(n);
            if (trimmed(line).empty() || is_comment(trimmed(line)))
                continue;
            if (first && is_header(line)) {
                header(line);
                file_.header_at = place(n, 1, std::max<std::size_t>(trimmed(line).size(), 1));
                first = false;
                if (may_be_row(line)) {
                    std::swap(file_.values, file_.header);
                    cells(line, n);
                    std::swap(file_.values, file_.header);
                }
                continue;
            }
            first = false;
            if (!row(line, n))
                return std::nullopt;
        }
        return std::move(file_);
    }

    std::optional<DataFile> hex() {
        const Source& source = *file_.source;
        file_.values.reserve(std::min(source.text().size() / 2 + 1, max_values));
        for (std::uint32_t n = 1; n <= source.line_count(); ++n) {
            std::string_view line = source.line(n);
            line = line.substr(0, std::min(line.find("//"), line.find('#')));
            for (std::string_view word = word_from(line, 0); !word.empty();) {
                const std::string_view digits = has_prefix(word, 'x') ? word.substr(2) : word;
                const std::optional<Integer> value = hex_number(digits);
                const auto begin = static_cast<std::size_t>(word.data() - line.data());
                const auto column = static_cast<std::uint32_t>(begin + 1);
                const auto length = static_cast<std::uint32_t>(word.size());
                const bool is_long =
                    !value && parse_words(fmt::format("0x{}", digits), Type::max_bits);
                if (!value && !is_long) {
                    fail(n, column, word.size(),
                         fmt::format("'{}' is no hexadecimal word", word.substr(0, 40)));
                    return std::nullopt;
                }
                if (!push({value.value_or(0), n, column, length,
                           value ? DataValue::Kind::number : DataValue::Kind::long_number}))
                    return std::nullopt;
                word = word_from(line, begin + word.size());
            }
        }
        return std::move(file_);
    }

    std::optional<DataFile> bytes() {
        for (std::size_t k = 0; k < file_.source->text().size(); ++k)
            if (!push({static_cast<unsigned char>(file_.source->text()[k]), 1,
                       static_cast<std::uint32_t>(k + 1), 1, DataValue::Kind::number}))
                return std::nullopt;
        return std::move(file_);
    }

private:
    Location place(std::uint32_t line, std::uint32_t column, std::size_t length) const {
        Location where;
        where.source = file_.source;
        where.begin = file_.source->offset(line, column);
        where.end = where.begin + static_cast<std::uint32_t>(length);
        return where;
    }

    void fail(std::uint32_t line, std::uint32_t column, std::size_t length, std::string message) {
        diagnostics_.add(Code::data_syntax, place(line, column, length), std::move(message));
    }

    bool push(DataValue value) {
        if (file_.values.size() == max_values) {
            fail(value.line, value.column, 1,
                 fmt::format("the file holds more than {} values", max_values));
            return false;
        }
        file_.values.push_back(value);
        return true;
    }

    static bool is_header(std::string_view line) {
        const std::string_view first = trimmed(line.substr(0, line.find(',')));
        const bool quoted = first.starts_with('"') && !number_meant(first).empty();
        return !first.empty() && !quoted && first.find_first_of("0123456789+-.#") != 0;
    }

    void header(std::string_view line) {
        for (;;) {
            const std::size_t comma = end_of_name(line);
            file_.columns.emplace_back(without_quotes(trimmed(line.substr(0, comma))));
            if (comma == std::string_view::npos)
                return;
            line.remove_prefix(comma + 1);
        }
    }

    /// Returns the position of the comma after a name; a name that contains a comma is quoted (RFC
    /// 4180).
    static std::size_t end_of_name(std::string_view line) {
        const std::size_t first = line.find_first_not_of(" \t");
        const bool quoted = first != std::string_view::npos && line[first] == '"';
        const std::size_t close = quoted ? line.find('"', first + 1) : std::string_view::npos;
        return line.find(',', close == std::string_view::npos ? 0 : close);
    }

    static std::string_view without_quotes(std::string_view name) {
        const bool quoted = name.size() > 1 && name.starts_with('"') && name.ends_with('"');
        return quoted ? name.substr(1, name.size() - 2) : name;
    }

    /// Returns true if a header could also be a row of enumeration members.
    static bool may_be_row(std::string_view line) {
        for (;;) {
            const std::size_t comma = line.find(',');
            if (!cell_value(trimmed(line.substr(0, comma))))
                return false;
            if (comma == std::string_view::npos)
                return true;
            line.remove_prefix(comma + 1);
        }
    }

    bool row(std::string_view line, std::uint32_t number) {
        if (!cells(line, number))
            return false;
        file_.row_ends.push_back(file_.values.size());
        return true;
    }

    bool cells(std::string_view line, std::uint32_t number) {
        for (std::size_t at = 0; at <= line.size();) {
            const std::size_t comma = std::min(line.find(',', at), line.size());
            const std::string_view cell = trimmed(line.substr(at, comma - at));
            const auto column = static_cast<std::uint32_t>(
                cell.empty() ? at + 1 : static_cast<std::size_t>(cell.data() - line.data()) + 1);
            const std::optional<DataValue> value =
                gaps_ && cell.empty() ? DataValue{0, 0, 0, 1, DataValue::Kind::missing}
                                      : cell_value(cell);
            if (!value) {
                fail(number, column, std::max<std::size_t>(cell.size(), 1),
                     cell.empty() ? std::string{"a value is missing here"} : no_number(cell));
                return false;
            }
            if (!push({value->value, number, column, static_cast<std::uint32_t>(cell.size()),
                       value->kind}))
                return false;
            at = comma + 1;
        }
        return true;
    }

    static std::optional<DataValue> cell_value(std::string_view cell) {
        if (const std::optional<Integer> value = number_in(cell))
            return DataValue{*value, 0, 0};
        if (expr::is_identifier(cell))
            return DataValue{0, 0, 0, 1, DataValue::Kind::name};
        const bool negative = cell.starts_with('-');
        if (parse_words(without_zeros(cell.substr(negative ? 1 : 0)), Type::max_bits))
            return DataValue{0, 0, 0, 1, DataValue::Kind::long_number};
        if (parse_decimal(cell))
            return DataValue{0, 0, 0, 1, DataValue::Kind::decimal};
        return std::nullopt;
    }

    DataFile file_;
    bool gaps_;
    Diagnostics& diagnostics_;
};

} // namespace

std::string no_number(std::string_view cell) {
    const std::string_view meant = number_meant(cell);
    return fmt::format("'{}' is no number{}", cell.substr(0, 40),
                       cell.starts_with('#') ? "; a comment begins with '# '"
                       : meant.empty()       ? ""
                                             : fmt::format("; write {}", meant));
}

Location DataFile::at(const DataValue& value) const {
    Location where;
    where.source = source;
    where.begin = source->offset(value.line, value.column);
    where.end = where.begin + (value.kind == DataValue::Kind::number ? 1 : value.length);
    return where;
}

std::string DataFile::text_of(const DataValue& value) const {
    const std::string_view text =
        source->text().substr(source->offset(value.line, value.column), value.length);
    if (is_hex(source->path()) && !has_prefix(text, 'x'))
        return fmt::format("0x{}", text);
    return std::string{without_zeros(text)};
}

std::optional<DataFile> read_data(const std::string& path, const Location& asked_at,
                                  Diagnostics& diagnostics, bool gaps) {
    const bool csv = path.ends_with(".csv");
    FileText found = (csv || is_hex(path) ? read_text : read_file)(path, Limits::data_bytes);
    if (!found.text) {
        diagnostics.add(found.too_large ? Code::file_too_large : Code::file_unreadable, asked_at,
                        fmt::format("cannot read '{}': {}", path, found.problem));
        return std::nullopt;
    }
    if ((csv && !is_rows_text(*found.text)) || (is_hex(path) && !is_words_text(*found.text))) {
        diagnostics.add(Code::data_syntax, asked_at,
                        csv ? fmt::format("'{}' is no CSV file of data: most of its cells are "
                                          "neither numbers nor names",
                                          path)
                            : fmt::format("'{}' is no file of hexadecimal words: most of it is "
                                          "something else",
                                          path));
        return std::nullopt;
    }
    Reader reader{std::make_shared<Source>(path, std::move(*found.text)), gaps, diagnostics};
    if (csv)
        return reader.csv();
    return is_hex(path) ? reader.hex() : reader.bytes();
}

} // namespace sme::yaml
