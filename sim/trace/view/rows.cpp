// SPDX-License-Identifier: Apache-2.0
#include "trace/view/rows.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>

#include "trace/names/names.hpp"
#include "trace/names/vcd_time.hpp"

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

namespace {

/// The rows of one element of a family; walks its type in parallel with the lines that declare it.
class ElementRows {
public:
    ElementRows(const BusFamily& bus, const Selection& selection)
        : bus_{bus}, selection_{selection}, lines_{lines_of(*bus.type)} {}

    /// `scope` ends with a dot; `full` is the name in the network, `written` the name in the scope.
    /// `nullopt` if no part is traced.
    std::optional<Row> row(const std::string& scope, const std::string& written,
                           const std::string& full, const std::string& label) {
        next_ = 0;
        written_ = written;
        return row_of(bus_.type, scope, full, label);
    }

    /// Adds the fields of a struct without a scope of its own to a list.
    void fields(const std::string& scope, const std::string& full, RowList& into) {
        next_ = 1; // skips the start of the scope
        add_fields(*bus_.type, scope, full, into);
    }

private:
    std::optional<Row> row_of(const TypeRef& type, const std::string& scope,
                              const std::string& full, const std::string& label) {
        if (type->kind() == TypeKind::array)
            return array_row(*type, scope, full, label);
        const TypeLine& line = lines_.lines[next_++];
        const std::string name = scope + (line.continues ? written_ + line.name : line.name);
        if (type->kind() == TypeKind::structure)
            return struct_row(*type, name, full, label);
        if (!selection_.matches(full))
            return std::nullopt;
        Row row{Row::Kind::signal, label};
        row.signal = name;
        if (type->width_bits() > 1)
            row.signal += fmt::format("[{}:0]", type->width_bits() - 1);
        describe(type, row);
        if (bus_.state)
            row.part = Part::state;
        return row;
    }

    std::optional<Row> struct_row(const Type& type, const std::string& name,
                                  const std::string& full, const std::string& label) {
        RowList list;
        add_fields(type, name + ".", full, list);
        ++next_; // skips the end of the scope
        return grouped(list, label);
    }

    void add_fields(const Type& type, const std::string& scope, const std::string& full,
                    RowList& into) {
        for (const Field& field : type.fields())
            if (auto row = row_of(field.type, scope, full + "." + field.name, field.name))
                into.add(std::move(*row));
    }

    std::optional<Row> array_row(const Type& type, const std::string& scope,
                                 const std::string& full, const std::string& label) {
        RowList list;
        for (std::uint64_t k = 0; k < type.count(); ++k) {
            const std::string index = fmt::format("[{}]", k);
            auto row = row_of(type.element(), scope, full + index, label + index);
            if (row && list.wants(row->label))
                list.add(std::move(*row));
            else if (row)
                list.skip(row->label);
        }
        if (list.empty())
            return std::nullopt;
        std::vector<Row> rows = list.take(); // one row: the group of the family, or its only member
        return std::move(rows[0]);
    }

    static std::optional<Row> grouped(RowList& list, const std::string& label) {
        if (list.empty())
            return std::nullopt;
        Row group{Row::Kind::group, label};
        group.rows = list.take();
        return group;
    }

    const BusFamily& bus_;
    const Selection& selection_;
    const TypeLines lines_;
    std::size_t next_ = 0; // index of the next line
    std::string written_;
};

class NetworkRows {
public:
    NetworkRows(const Graph& graph, const Traced& traced) : graph_{graph}, traced_{traced} {}

    /// `path` ends with a dot.
    void collect(const Scope& scope, const std::string& path, RowList& into) {
        for (const PlacedFamily& placed : scope.families)
            add_family(scope, placed, path, into);
        for (const auto& inner : scope.scopes) {
            if (beside_.contains(inner.get()))
                continue;
            RowList list;
            collect(*inner, path + inner->name + ".", list);
            add_group(inner->own, list, into);
        }
    }

private:
    void add_family(const Scope& scope, const PlacedFamily& placed, const std::string& path,
                    RowList& into) {
        const BusFamily& bus = traced_.family(graph_, placed.family);
        const Selection& selection = traced_.selection_of(graph_, placed.family);
        ElementRows element{bus, selection};
        if (placed.open) // the fields of a bundle, in the scope with its name
            return element.fields(path, bus.shape.element_name(bus.name, placed.first), into);
        const std::uint64_t count = placed.shape.count();
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::string label = placed.shape.element_name(placed.own, k);
            if (!into.wants(label) && selection.everything()) // nothing else will be shown
                return into.skip(placed.shape.element_name(placed.own, count - 1), count - k);
            std::string written = placed.name;
            for (const std::int64_t index : placed.shape.indices(k))
                append_index(written, index);
            auto row = element.row(path, written,
                                   bus.shape.element_name(bus.name, placed.first + k), label);
            if (row && row->kind == Row::Kind::group)
                add_beside(scope, label, path, *row);
            if (row && into.wants(label))
                into.add(std::move(*row));
            else if (row)
                into.skip(label);
        }
    }

    /// Adds the bus "a.ready" to the fields of "a".
    void add_beside(const Scope& scope, const std::string& label, const std::string& path,
                    Row& row) {
        const auto found = scope.scopes_by_own.find(label);
        if (found == scope.scopes_by_own.end())
            return;
        beside_.insert(found->second);
        RowList list;
        for (Row& field : row.rows)
            list.add(std::move(field));
        collect(*found->second, path + found->second->name + ".", list);
        row.rows = list.take();
    }

    static void add_group(const std::string& label, RowList& list, RowList& into) {
        if (list.empty())
            return;
        if (!into.wants(label))
            return into.skip(label);
        Row group{Row::Kind::group, label};
        group.rows = list.take();
        into.add(std::move(group));
    }

    const Graph& graph_;
    const Traced& traced_;
    std::unordered_set<const Scope*> beside_; // already shown with a bus
};

} // namespace

std::vector<Row> rows_of(const Graph& graph, const Traced& traced) {
    Scope top = scope_tree(graph, traced);
    Row clock{Row::Kind::signal, "clock"};
    clock.signal = top.name + "." + top.names.place("clock");
    clock.radix = Radix::binary;
    clock.part = Part::clock;
    RowList list;
    NetworkRows{graph, traced}.collect(top, top.name + ".", list);
    std::vector<Row> rows{std::move(clock)};
    for (Row& row : list.take())
        rows.push_back(std::move(row));
    return rows;
}

} // namespace sme::trace
