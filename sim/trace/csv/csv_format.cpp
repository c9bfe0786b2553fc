// SPDX-License-Identifier: Apache-2.0
//
// Writes a row when the next cycle begins, because all its changes are then known. Keeps the text
// of each cell, and updates it when its signal changes.
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bits/integer.hpp"
#include "bits/scalar_text.hpp"
#include "trace/format.hpp"

namespace sme::trace {

namespace {

constexpr std::string_view cycle_column = "cycle";

/// Formats a name as a cell, in quotes if it contains a character special to CSV.
std::string cell(const std::string& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos)
        return name;
    std::string result = "\"";
    for (const char c : name)
        result += c == '"' ? std::string{"\"\""} : std::string{c};
    return result + "\"";
}

/// The names of columns. A duplicate gets the suffix "_v2", as in a VCD file, or a higher number if
/// that name exists, too.
class Columns {
public:
    Columns() { add(std::string{cycle_column}); }

    void add(std::string name) { wanted_.push_back(&*names_.insert(std::move(name)).first); }

    std::string header() {
        std::unordered_set<std::string> result;
        std::string text;
        for (const std::string* const wanted : wanted_) {
            std::string name = *wanted;
            for (unsigned k = 2; result.contains(name) || (k > 2 && names_.contains(name)); ++k)
                name = fmt::format("{}_v{}", *wanted, k);
            text += (text.empty() ? "" : ",") + cell(name);
            result.insert(std::move(name));
        }
        return text + '\n';
    }

private:
    std::unordered_set<std::string> names_;
    std::vector<const std::string*> wanted_; // by column
};

class CsvEncoder final : public Encoder {
public:
    std::size_t begin(OutputFile& file, const Observed& observed, const Traced& traced,
                      ChangeFinder& finder) override {
        file_ = &file;
        Columns columns;
        const Graph& graph = observed.graph();
        for (std::size_t k = 0; k < traced.families(graph); ++k) {
            const BusFamily& bus = traced.family(graph, k);
            if (!traced.may_take(graph, k) || is_inside_clock(bus)) // `cycle` replaces it
                continue;
            FamilySignals family{traced, k, observed, finder};
            family.take(0, bus.count, traced.selection_of(graph, k), signals(),
                        [&](std::uint64_t element, const std::vector<std::uint32_t>& scalars) {
                            for (const std::uint32_t scalar : scalars)
                                add_column(family.name(element), family.scalars()[scalar], columns);
                        });
        }
        rows_ = columns.header();
        write();
        return types_.size();
    }

    void encode(std::span<const Record> records) override {
        for (const Record& record : records)
            if ((record.format & Record::cycle_begins) != 0)
                begin_row(record.value);
            else
                take(record);
        write();
    }

    void finish(std::uint64_t) override {
        end_row();
        write();
    }

private:
    std::uint32_t signals() const { return static_cast<std::uint32_t>(types_.size()); }

    void add_column(const std::string& bus, const Leaf& scalar, Columns& columns) {
        columns.add(bus + scalar.path);
        types_.push_back(scalar.type);
        cells_.emplace_back();
    }

    void begin_row(std::uint64_t cycle) {
        end_row();
        cycle_ = cycle;
        row_begun_ = true;
    }

    void end_row() {
        if (!std::exchange(row_begun_, false))
            return;
        rows_ += fmt::format_int{cycle_}.c_str();
        for (const std::string& text : cells_)
            (rows_ += ',') += text;
        rows_ += '\n';
        if (rows_.size() > buffer_bytes)
            write();
    }

    /// Takes a word of a value, the highest first. A signal without a value has an empty cell.
    void take(const Record& record) {
        std::string& text = cells_[record.signal];
        if ((record.format & Record::unknown) != 0)
            return text.clear();
        const Type& type = *types_[record.signal];
        words_.insert(words_.begin(),
                      canonical(record.value, record.format & 0xffu, type.extends_sign()));
        if ((record.format & Record::more) != 0)
            return;
        text = data_text(type, words_.data());
        words_.clear();
    }

    void write() {
        file_->write(rows_);
        rows_.clear();
    }

    static constexpr std::size_t buffer_bytes = 1 << 18;

    OutputFile* file_ = nullptr;
    std::vector<const Type*> types_; // by signal
    std::vector<std::string> cells_; // the cells of the next row
    std::vector<std::uint64_t> words_;
    std::string rows_;
    std::uint64_t cycle_ = 0;
    bool row_begun_ = false;
};

constexpr std::array<std::string_view, 2> csv_begins{"cycle,", "cycle\n"};

} // namespace

extern const Format csv_format;
const Format csv_format{".csv", "a CSV file of all cycles",
                        "a row a cycle with a column for each signal", csv_begins,
                        [](const ClockPeriod&, std::string&) -> std::unique_ptr<Encoder> {
                            return std::make_unique<CsvEncoder>();
                        }};

} // namespace sme::trace
