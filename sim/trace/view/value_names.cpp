// SPDX-License-Identifier: Apache-2.0
#include "trace/view/value_names.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace sme::trace {

std::size_t ValueNames::number_of(const TypeRef& type) {
    const std::string key = type->name() + "\n" + type->written_out();
    if (const auto known = numbers_.find(key); known != numbers_.end())
        return known->second;
    if (files_.size() == most_)
        return 0;
    const std::string name = name_for(type->name());
    files_.push_back({name + ".txt", text_(*type, name)});
    return numbers_[key] = files_.size();
}

std::string ValueNames::name_for(const std::string& type) {
    std::string plain = type;
    std::replace_if(
        plain.begin(), plain.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    const unsigned number = ++uses_[plain];
    return number == 1 ? fmt::format("{}.{}", stem_, plain)
                       : fmt::format("{}.{}-{}", stem_, plain, number);
}

} // namespace sme::trace
