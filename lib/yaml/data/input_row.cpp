// SPDX-License-Identifier: Apache-2.0
#include "yaml/data/input_row.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sme::yaml {

namespace {

/// Suffixes of the generated buses of a channel that a file may feed.
constexpr std::string_view channel_ends[] = {".file", ".in"};

} // namespace

InputRow::InputRow(const BusFamily& bus, bool stream) : bus_{bus}, stream_{stream} {
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

std::string InputRow::name() const {
    for (const std::string_view end : channel_ends)
        if (is_channel() && bus_.name.ends_with(end))
            return bus_.name.substr(0, bus_.name.size() - end.size());
    return bus_.name;
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

} // namespace sme::yaml
