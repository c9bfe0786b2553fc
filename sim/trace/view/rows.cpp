// SPDX-License-Identifier: Apache-2.0
#include "trace/view/rows.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace sme::trace {

namespace {

constexpr std::uint64_t widest_decimal = 16; // wider values are words, addresses and hashes

bool is_signal(const Row& row, const char* name) {
    return row.kind == Row::Kind::signal && row.label == name;
}

} // namespace

std::uint64_t Row::signals() const {
    std::uint64_t sum = kind == Kind::signal ? 1 : 0;
    for (const Row& row : rows)
        sum += row.signals();
    return sum;
}

void describe(const TypeRef& type, Row& row) {
    row.type = type->name();
    if (type->kind() == TypeKind::boolean || type->width_bits() == 1)
        row.radix = Radix::binary;
    else if (type->is_signed())
        row.radix = Radix::signed_decimal;
    else
        row.radix = type->width_bits() <= widest_decimal ? Radix::decimal : Radix::hexadecimal;
    if (type->kind() == TypeKind::enumeration) {
        row.radix = Radix::hexadecimal;
        row.part = Part::choice;
        row.enumeration = type;
    } else if (row.label == "valid" || row.label == "ready")
        row.part = Part::handshake;
}

bool RowList::continues(const FoldedName& name) const {
    return family_ && family_->pattern() == name.pattern() && name.pattern() != name.text();
}

bool RowList::wants(const std::string& label) const {
    const FoldedName name{label};
    return !continues(name) || (family_->count() < max_members && skipped_ == 0);
}

void RowList::skip(const std::string& label, std::uint64_t count) {
    family_->add(FoldedName{label});
    skipped_ += count;
    last_label_ = label;
}

void RowList::add(Row row) {
    FoldedName name{row.label};
    if (continues(name))
        family_->add(name);
    else {
        close_family();
        family_begin_ = rows_.size();
        family_.emplace(std::move(name));
    }
    last_label_ = row.label;
    rows_.push_back(std::move(row));
}

/// Groups the members of the last family, if it has several, under one name.
void RowList::close_family() {
    if (family_ && family_->count() > 1) {
        Row group{Row::Kind::group, family_->text()};
        const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(family_begin_);
        std::move(begin, rows_.end(), std::back_inserter(group.rows));
        rows_.erase(begin, rows_.end());
        if (skipped_ > 0)
            group.rows.push_back(
                {Row::Kind::remark, fmt::format("{} more, to {}", skipped_, last_label_)});
        rows_.push_back(std::move(group));
    }
    family_.reset();
    skipped_ = 0;
}

std::vector<Row> RowList::take() {
    close_family();
    std::stable_partition(rows_.begin(), rows_.end(),
                          [](const Row& row) { return is_signal(row, "valid"); });
    std::stable_partition(rows_.begin(), rows_.end(),
                          [](const Row& row) { return !is_signal(row, "ready"); });
    return std::move(rows_);
}

} // namespace sme::trace
