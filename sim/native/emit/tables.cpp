// SPDX-License-Identifier: Apache-2.0
#include "native/emit/tables.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "native/emit/c_text.hpp"

namespace sme::native {

namespace {

constexpr std::string_view table_name = "_table"; // followed by its number and "_"

} // namespace

std::string Tables::name(const expr::Table& table) {
    const std::string type = CType::in_slot(table.type).name();
    std::string values;
    for (std::size_t k = 0; k < table.values.size(); ++k)
        values += fmt::format("{}{},", k % 16 == 0 ? "\n    " : " ",
                              Arithmetic{1}.literal(table.type, table.values[k]));
    const auto [known, fresh] = known_.try_emplace(type + values, texts_.size());
    std::string name = fmt::format("{}{}_", table_name, known->second + 1);
    if (fresh)
        texts_.push_back(fmt::format("static const {} {}[] = {{{}}};\n", type, name, values));
    return name;
}

std::string Tables::text(const std::vector<const std::string*>& functions) const {
    if (texts_.empty())
        return {};
    std::vector<bool> named(texts_.size());
    for (const std::string* const function : functions)
        for (std::size_t at = 0; (at = function->find(table_name, at)) != std::string::npos;) {
            at += table_name.size();
            std::size_t number = 0;
            std::from_chars(function->data() + at, function->data() + function->size(), number);
            if (number >= 1 && number <= named.size())
                named[number - 1] = true;
        }
    std::string made;
    for (std::size_t k = 0; k < texts_.size(); ++k)
        if (named[k])
            made += texts_[k];
    return made;
}

} // namespace sme::native
