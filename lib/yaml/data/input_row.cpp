// SPDX-License-Identifier: Apache-2.0
#include "yaml/data/input_row.hpp"

#include <string_view>

namespace sme::yaml {

namespace {

/// What the bus is called that feeds a channel from a file, behind the channel's name.
constexpr std::string_view channel_end = ".file";

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
    DataColumns columns;
    const std::size_t hidden = is_channel() ? std::string_view{".data"}.size() : 0;
    for (const Scalar& scalar : scalars_)
        columns.add({scalar.path.substr(hidden), 0, scalar.type, 0}, scalar.element, name());
    columns.also = {"value"}; // as it is recorded
    return columns;
}

bool InputRow::is_channel() const {
    return bus_.made && bus_.name.ends_with(channel_end);
}

std::string InputRow::name() const {
    return is_channel() ? bus_.name.substr(0, bus_.name.size() - channel_end.size()) : bus_.name;
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
