// SPDX-License-Identifier: Apache-2.0
#include "trace/view/radixes.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "trace/collect/selection.hpp"

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

namespace {

struct NamedRadix {
    std::string_view name;
    Radix radix;
};

constexpr std::array named_radixes{
    NamedRadix{"bin", Radix::binary}, NamedRadix{"dec", Radix::decimal},
    NamedRadix{"signed", Radix::signed_decimal}, NamedRadix{"hex", Radix::hexadecimal}};

class RadixGiver {
public:
    explicit RadixGiver(const std::vector<RadixRule>& rules)
        : rules_{rules}, used_(rules.size(), false) {}

    /// `path` ends with a dot, if it is not empty.
    void give(std::vector<Row>& rows, const std::string& path) {
        for (Row& row : rows) {
            if (row.kind == Row::Kind::signal)
                give(row, path + row.label);
            // the group label of members, "lane[0..2]", is not a part of their names
            const bool is_family = row.label.find("..") != std::string::npos;
            give(row.rows, is_family ? path : path + row.label + ".");
        }
    }
    std::vector<std::string> unused() const {
        std::vector<std::string> result;
        for (std::size_t k = 0; k < rules_.size(); ++k)
            if (!used_[k])
                result.push_back(rules_[k].pattern);
        return result;
    }

private:
    void give(Row& row, const std::string& name) {
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            const RadixRule& rule = rules_[k];
            if (!Selection{rule.pattern}.matches(name) && rule.pattern != row.type)
                continue;
            row.radix = rule.radix;
            row.enumeration = nullptr;
            used_[k] = true;
        }
    }

    const std::vector<RadixRule>& rules_;
    std::vector<bool> used_;
};

} // namespace

std::optional<RadixRule> radix_rule(std::string_view written) {
    const std::size_t equals = written.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
        return std::nullopt;
    const std::string_view name = written.substr(equals + 1);
    const auto found = std::find_if(named_radixes.begin(), named_radixes.end(),
                                    [&](const NamedRadix& one) { return one.name == name; });
    if (found == named_radixes.end())
        return std::nullopt;
    return RadixRule{std::string{written.substr(0, equals)}, found->radix};
}

std::string radix_names() {
    std::string result;
    for (const NamedRadix& one : named_radixes)
        result += fmt::format("{}{}", result.empty() ? "" : ", ", one.name);
    return result;
}

std::vector<std::string> give_radixes(const std::vector<RadixRule>& rules, std::vector<Row>& rows) {
    RadixGiver giver{rules};
    giver.give(rows, "");
    return giver.unused();
}

} // namespace sme::trace
