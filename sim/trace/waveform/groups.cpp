// SPDX-License-Identifier: Apache-2.0
#include "trace/waveform/groups.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "bits/scalar_text.hpp"
#include "trace/view/rows.hpp"

namespace sme::trace {

namespace {

/// A name part, with the names below it.
struct Group {
    std::string label;
    const Signal* signal = nullptr;
    std::vector<std::unique_ptr<Group>> members{};
    std::map<std::string, Group*, std::less<>> groups{}; // the members that are groups

    Group& group(std::string_view name) {
        const auto found = groups.find(name);
        if (found != groups.end())
            return *found->second;
        Group& made = *members.emplace_back(std::make_unique<Group>());
        made.label = name;
        groups.emplace(name, &made);
        return made;
    }
};

bool is_named(const WaveformRow& row, std::string_view name) {
    return row.signal && row.label == name;
}

std::vector<WaveformRow> rows_of(const Group& group) {
    std::vector<WaveformRow> made;
    for (const auto& member : group.members) {
        WaveformRow row{member->label, member->signal, rows_of(*member)};
        if (row.rows.size() == 1) {
            const std::string outer = std::move(row.label);
            WaveformRow only = std::move(row.rows[0]);
            row = std::move(only);
            row.label = outer + "." + row.label;
        }
        made.push_back(std::move(row));
    }
    std::stable_partition(made.begin(), made.end(),
                          [](const WaveformRow& row) { return is_named(row, "valid"); });
    std::stable_partition(made.begin(), made.end(),
                          [](const WaveformRow& row) { return !is_named(row, "ready"); });
    return made;
}

std::string hexadecimal_text(std::span<const std::uint64_t> words) {
    std::string made;
    for (std::size_t k = words.size(); k-- > 0;)
        if (made.empty() && (words[k] != 0 || k == 0))
            made = fmt::format("0x{:x}", words[k]);
        else if (!made.empty())
            made += fmt::format("{:016x}", words[k]);
    return made;
}

Radix radix_of(const TypeRef& type) {
    Row row;
    describe(type, row);
    return row.radix;
}

} // namespace

std::vector<WaveformRow> grouped(const Waveform& waveform) {
    Group top;
    for (const Signal& signal : waveform.signals) {
        const std::vector<std::string_view> path = signal.path();
        Group* at = &top;
        for (std::size_t k = 0; k + 1 < path.size(); ++k)
            at = &at->group(path[k]);
        Group& own = *at->members.emplace_back(std::make_unique<Group>());
        own.label = path.back();
        own.signal = &signal;
    }
    return rows_of(top);
}

bool is_level(const Signal& signal) {
    return signal.type->kind() != TypeKind::enumeration && radix_of(signal.type) == Radix::binary;
}

std::string shown_value(const TypeRef& type, std::span<const std::uint64_t> words) {
    if (type->kind() != TypeKind::enumeration && radix_of(type) == Radix::hexadecimal)
        return hexadecimal_text(words);
    return scalar_text(*type, words.data());
}

std::string shown_value(const Signal& signal, std::size_t k) {
    return signal.changes.is_known(k) ? shown_value(signal.type, signal.changes.value(k)) : "x";
}

} // namespace sme::trace
