// SPDX-License-Identifier: Apache-2.0
#include "yaml/data/input_row.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "bits/decimal.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::yaml {

InputRow::InputRow(const BusFamily& bus, std::string name, bool stream)
    : bus_{bus}, name_{std::move(name)}, stream_{stream} {
    for (std::uint64_t element = 0; element < bus.count; ++element) {
        const std::string name =
            bus.shape.dimensions.empty() ? std::string{} : bus.shape.element_name("", element);
        for (const Leaf& scalar : bus.type->scalars())
            if (gives(scalar.path))
                scalars_.push_back({name, scalar.path, scalar.type});
    }
    for (const Leaf& leaf : bus.type->leaves())
        given_.push_back(gives(leaf.path));
}

DataColumns InputRow::columns() const {
    constexpr std::string_view data = ".data";
    const bool offered = std::all_of(scalars_.begin(), scalars_.end(), [&](const Scalar& scalar) {
        return stream_ && scalar.path.starts_with(data);
    });
    DataColumns columns, message; // for a stream: with and without 'data'
    for (const Scalar& scalar : scalars_) {
        columns.add({scalar.path, 0, scalar.type, 0}, scalar.element, name());
        message.add({scalar.path.substr(offered ? data.size() : 0), 0, scalar.type, 0},
                    scalar.element, name());
    }
    if (is_channel())
        std::swap(columns.names, message.names);
    columns.also = {{"value"}, message.names}; // a scalar as recorded
    return columns;
}

void InputRow::put(const std::vector<std::uint64_t>& words, std::vector<std::byte>& slots) const {
    const std::uint64_t* next = words.data();
    std::vector<std::uint64_t> all(given_.size());
    for (std::uint64_t element = 0; element < bus_.count; ++element) {
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k] = given_[k] ? *next++ : 1;
        put_leaves(*bus_.type, all.data(), slots);
    }
}

void DataColumns::add(const Leaf& scalar, const std::string& prefix, const std::string& whole) {
    std::string name = prefix + scalar.path;
    if (name.starts_with('.'))
        name.erase(0, 1);
    if (name.empty())
        name = whole;
    names.push_back(std::move(name));
    types.push_back(scalar.type);
}

bool settle_header(DataFile& file, const DataColumns& columns, const std::string& needs,
                   Diagnostics& diagnostics) {
    const bool named =
        std::any_of(columns.types.begin(), columns.types.end(),
                    [](const Type* type) { return type->kind() == TypeKind::enumeration; });
    const auto is_member = [&] {
        return named && file.columns.size() == 1 && columns.types[0]->find_member(file.columns[0]);
    };
    if (file.columns.empty() || file.columns == columns.names)
        return true;
    const std::vector<std::string> stem{std::filesystem::path{file.source->path()}.stem()};
    const bool by_file = columns.names.size() == 1 && file.columns == stem;
    const bool as_many = file.columns.size() == columns.names.size();
    if (as_many &&
        (by_file || std::count(columns.also.begin(), columns.also.end(), file.columns) > 0) &&
        !is_member()) {
        file.columns = columns.names;
        return true;
    }
    if (!named || file.columns.size() != columns.names.size() || file.header.empty()) {
        const std::string& first = file.columns[0];
        if (const std::string problem = no_number(first); problem.find(';') != std::string::npos)
            diagnostics.add(Code::data_syntax, file.header_at, problem);
        else
            diagnostics.add(Code::data_shape, file.header_at,
                            fmt::format("'{}' has the columns '{}', but {} '{}'; write this "
                                        "header, or none",
                                        file.source->path(), fmt::join(file.columns, ","), needs,
                                        fmt::join(columns.names, ",")));
        return false;
    }
    for (std::size_t& end : file.row_ends)
        end += file.header.size();
    file.row_ends.insert(file.row_ends.begin(), file.header.size());
    file.values.insert(file.values.begin(), file.header.begin(), file.header.end());
    file.columns.clear();
    return true;
}

namespace {

class ValueReader {
public:
    ValueReader(const DataFile& file, const DataValue& value, const Type& type,
                Diagnostics& diagnostics)
        : file_{file}, value_{value}, type_{type}, diagnostics_{diagnostics} {}

    bool add(std::vector<std::uint64_t>& into) {
        if (value_.kind == DataValue::Kind::missing)
            return fail(Code::data_syntax, "a value is missing here");
        if (type_.kind() == TypeKind::enumeration)
            return add_member(into);
        if (value_.kind == DataValue::Kind::name)
            return fail(Code::data_syntax, no_number(text()));
        if (type_.is_fixed() && !file_.source->path().ends_with(".csv"))
            return add_bits(into);
        if (type_.is_fixed() || type_.is_wide())
            return add_words(into);
        const auto width = static_cast<unsigned>(type_.width_bits());
        if (value_.kind == DataValue::Kind::decimal)
            return fail(Code::data_range, fmt::format("{} is not whole, but {} is an integer",
                                                      shown(), type_.name()));
        if (value_.kind == DataValue::Kind::long_number ||
            (!fits_at_once(width) && (value_.value < smallest(width, type_.is_signed()) ||
                                      value_.value > largest(width, type_.is_signed()))))
            return does_not_fit();
        into.push_back(static_cast<std::uint64_t>(value_.value));
        return true;
    }

private:
    /// Fast test: most numbers are nonnegative and need fewer bits than the width.
    bool fits_at_once(unsigned width) const {
        return value_.value >> (type_.is_signed() ? width - 1 : width) == 0;
    }
    bool fail(Code code, std::string message) {
        diagnostics_.add(code, file_.at(value_), std::move(message));
        return false;
    }
    std::string text() const { return file_.text_of(value_); }
    std::string shown() const {
        return value_.kind == DataValue::Kind::number
                   ? to_string(value_.value)
                   : text().substr(0, 40) + (text().size() > 40 ? "..." : "");
    }

    bool does_not_fit() {
        return fail(Code::data_range, fmt::format("{} does not fit {} ({})", shown(), type_.name(),
                                                  expr::range_text(type_)));
    }

    bool add_member(std::vector<std::uint64_t>& into) {
        const bool number = value_.kind == DataValue::Kind::number && value_.value >= 0 &&
                            value_.value <= largest(64, false);
        const Member* member =
            value_.kind == DataValue::Kind::name
                ? type_.find_member(text())
                : (number ? type_.find_member(static_cast<std::uint64_t>(value_.value)) : nullptr);
        if (!member)
            return fail(Code::data_range,
                        fmt::format("'{}' is no member of {}; its members are {}", shown(),
                                    type_.name(), expr::members_of(type_)));
        into.push_back(member->value);
        return true;
    }

    /// Returns the number as written.
    Decimal number() const {
        if (value_.kind == DataValue::Kind::decimal)
            return *parse_decimal(text());
        const bool is_long = value_.kind == DataValue::Kind::long_number;
        const bool negative = is_long ? text().starts_with('-') : value_.value < 0;
        return {negative,
                is_long ? *parse_words(text().substr(negative ? 1 : 0), Type::max_bits)
                        : integer_words(negative ? -value_.value : value_.value, 128),
                0};
    }

    /// A fixed-point number, or an integer of several words.
    bool add_words(std::vector<std::uint64_t>& into) {
        const Scaled found = scaled(number(), type_.fraction_bits());
        const auto nearest = [&] {
            return words_of(scaled(number(), type_.fraction_bits(), Rounding::nearest), type_);
        };
        const std::optional<Words> words = found.exact ? words_of(found, type_) : nearest();
        if (!words)
            return does_not_fit();
        if (!found.exact)
            return fail(
                Code::data_range,
                type_.is_fixed()
                    ? fmt::format("{} is no value of {}; the nearest is {}", shown(), type_.name(),
                                  fixed_text(type_, words->data()))
                    : fmt::format("{} is not whole, but {} is an integer", shown(), type_.name()));
        into.insert(into.end(), words->begin(), words->end());
        return true;
    }

    /// The bits of a fixed-point number.
    bool add_bits(std::vector<std::uint64_t>& into) {
        const auto width = static_cast<unsigned>(type_.width_bits());
        Words words = number().digits;
        if (value_.kind == DataValue::Kind::decimal || value_.value < 0 || width_of(words) > width)
            return fail(Code::data_range, fmt::format("{} is not {} bits, which {} has", shown(),
                                                      width, type_.name()));
        words.resize(type_.leaf_count(), 0);
        if (!type_.is_wide())
            words[0] = canonical(words[0], width, type_.is_signed());
        into.insert(into.end(), words.begin(), words.end());
        return true;
    }

    const DataFile& file_;
    const DataValue& value_;
    const Type& type_;
    Diagnostics& diagnostics_;
};

} // namespace

bool add_row(const DataFile& file, std::size_t number, const DataColumns& columns,
             const std::string& needs, std::vector<std::uint64_t>& into, Diagnostics& diagnostics) {
    const std::span<const DataValue> row = file.row(number);
    if (row.size() != columns.types.size()) {
        diagnostics.add(Code::data_shape, file.at(row[0]),
                        fmt::format("this row has {} values, but {} {}", row.size(), needs,
                                    columns.types.size()));
        return false;
    }
    for (std::size_t k = 0; k < row.size(); ++k)
        if (!ValueReader{file, row[k], *columns.types[k], diagnostics}.add(into))
            return false;
    return true;
}

void put_leaves(const Type& type, const std::uint64_t* leaves, std::vector<std::byte>& slots) {
    const std::size_t begin = slots.size();
    slots.resize(begin + type.size());
    if (type.kind() == TypeKind::array && type.element()->leaf_count() == 1) {
        const std::size_t bytes = type.element()->size();
        for (std::uint64_t k = 0; k < type.count(); ++k)
            std::memcpy(slots.data() + begin + k * bytes, leaves + k, bytes);
        return;
    }
    for (const Leaf& leaf : type.leaves())
        std::memcpy(slots.data() + begin + leaf.offset, leaves++, leaf.type->size());
}

} // namespace sme::yaml
