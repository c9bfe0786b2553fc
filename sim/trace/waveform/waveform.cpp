// SPDX-License-Identifier: Apache-2.0
#include "trace/waveform/waveform.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "bits/scalar_text.hpp"
#include "trace/view/rows.hpp"

namespace sme::trace {

std::size_t Changes::at(std::uint64_t cycle) const {
    const auto later = std::upper_bound(
        cycles_.begin(), cycles_.end(), cycle,
        [](std::uint64_t wanted, std::uint64_t change) { return wanted < (change & ~unknown); });
    return later == cycles_.begin() ? none : static_cast<std::size_t>(later - cycles_.begin()) - 1;
}

void Changes::add(std::uint64_t cycle, std::span<const std::uint64_t> value) {
    cycles_.push_back(cycle);
    values_.insert(values_.end(), value.begin(), value.end());
}

void Changes::add_unknown(std::uint64_t cycle) {
    cycles_.push_back(cycle | unknown);
    values_.resize(values_.size() + words_);
}

void Changes::forget_before(std::uint64_t cycle) {
    const std::size_t first = at(cycle);
    if (first == none)
        return;
    const auto kept = static_cast<std::ptrdiff_t>(first);
    cycles_ = {cycles_.begin() + kept, cycles_.end()};
    values_ = {values_.begin() + kept * static_cast<std::ptrdiff_t>(words_), values_.end()};
    cycles_[0] = cycle | (cycles_[0] & unknown);
}

std::vector<std::string_view> Signal::path() const {
    std::vector<std::string_view> result;
    std::string_view rest = name;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
        result.push_back(rest.substr(0, dot));
        rest.remove_prefix(dot + 1);
    }
    result.push_back(rest);
    return result;
}

std::string Signal::text(std::size_t k) const {
    return changes.is_known(k) ? data_text(*type, changes.value(k).data()) : "x";
}

std::uint64_t Waveform::changes() const {
    std::uint64_t sum = 0;
    for (const Signal& signal : signals)
        sum += signal.changes.size();
    return sum;
}

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
        Group& result = *members.emplace_back(std::make_unique<Group>());
        result.label = name;
        groups.emplace(name, &result);
        return result;
    }
};

bool is_named(const WaveformRow& row, std::string_view name) {
    return row.signal && row.label == name;
}

std::vector<WaveformRow> rows_of(const Group& group) {
    std::vector<WaveformRow> result;
    for (const auto& member : group.members) {
        WaveformRow row{member->label, member->signal, rows_of(*member)};
        if (row.rows.size() == 1) {
            const std::string outer = std::move(row.label);
            WaveformRow only = std::move(row.rows[0]);
            row = std::move(only);
            row.label = outer + "." + row.label;
        }
        result.push_back(std::move(row));
    }
    std::stable_partition(result.begin(), result.end(),
                          [](const WaveformRow& row) { return is_named(row, "valid"); });
    std::stable_partition(result.begin(), result.end(),
                          [](const WaveformRow& row) { return !is_named(row, "ready"); });
    return result;
}

std::string hexadecimal_text(std::span<const std::uint64_t> words) {
    std::string result;
    for (std::size_t k = words.size(); k-- > 0;)
        if (result.empty() && (words[k] != 0 || k == 0))
            result = fmt::format("0x{:x}", words[k]);
        else if (!result.empty())
            result += fmt::format("{:016x}", words[k]);
    return result;
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
