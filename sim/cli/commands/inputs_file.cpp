// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/inputs_file.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "bits/scalar_text.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "yaml/data/input_row.hpp"

namespace sme::cli {

namespace {

using yaml::DataFile;
using yaml::DataValue;

/// The columns of an element: "a.valid" and so on.
std::vector<std::string> columns_of(const Graph& graph, std::uint64_t element) {
    std::vector<std::string> result;
    for (const Leaf& scalar : graph.family_of(element).type->scalars())
        result.push_back(graph.bus_name(element) + scalar.path);
    return result;
}

std::string text_of(const lockstep::FedRows& rows, const Graph& graph) {
    std::string text = "cycle";
    std::vector<std::vector<Leaf>> scalars;
    for (const std::uint64_t element : rows.elements) {
        scalars.push_back(graph.family_of(element).type->scalars());
        for (const std::string& column : columns_of(graph, element))
            text += column.find(',') == std::string::npos ? "," + column
                                                          : fmt::format(",\"{}\"", column);
    }
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        text += fmt::format("\n{}", r);
        for (std::size_t p = 0; p < rows.elements.size(); ++p)
            for (const Leaf& scalar : scalars[p])
                text += "," + data_text(scalar, rows.rows[r].data() + rows.offsets[p]);
    }
    return text + "\n";
}

} // namespace

std::optional<InputsFile> InputsFile::read(const std::string& path, Diagnostics& diagnostics) {
    std::optional<DataFile> file = yaml::read_data(path, {}, diagnostics, true);
    if (!file)
        return std::nullopt;
    InputsFile result;
    result.file_ = std::move(*file);
    if (result.file_.columns.empty() || result.file_.row_ends.empty()) {
        diagnostics.add(Code::data_shape, result.where(),
                        result.file_.columns.empty()
                            ? "the first line names no columns; write the names of the inputs, as "
                              "in a CSV trace"
                            : "there is no row below the names of the columns");
        return std::nullopt;
    }
    for (std::size_t r = 0; r < result.file_.row_count(); ++r)
        if (const auto row = result.file_.row(r); row.size() != result.file_.columns.size()) {
            diagnostics.add(Code::data_shape, result.file_.at(row[0]),
                            fmt::format("this row has {} values, but the first line names {}",
                                        row.size(),
                                        counted(result.file_.columns.size(), "column", "columns")));
            return std::nullopt;
        }
    return result;
}

Location InputsFile::where() const {
    Location result;
    result.source = file_.source;
    result.end = 1;
    return result;
}

/// Skips the first column, which holds the cycles, even if a bus has its name.
std::optional<std::size_t> InputsFile::place_of(const std::string& column) const {
    const auto begin = file_.columns.begin() + (file_.columns[0] == "cycle" ? 1 : 0);
    const auto found = std::find(begin, file_.columns.end(), column);
    if (found == file_.columns.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - file_.columns.begin());
}

std::string InputsFile::missing(const Graph& graph,
                                const std::vector<std::uint64_t>& elements) const {
    for (const std::uint64_t element : elements)
        for (const std::string& column : columns_of(graph, element))
            if (!place_of(column))
                return column;
    return {};
}

std::optional<lockstep::FedRows> InputsFile::rows(const Graph& graph,
                                                  std::vector<std::uint64_t> elements,
                                                  Diagnostics& diagnostics) const {
    yaml::DataColumns columns;
    std::vector<std::size_t> places;
    lockstep::FedRows result;
    std::size_t bytes = 0;
    for (const std::uint64_t element : elements) {
        const Type& type = *graph.family_of(element).type;
        for (const std::string& column : columns_of(graph, element))
            places.push_back(*place_of(column));
        for (const Leaf& scalar : type.scalars())
            columns.add(scalar, "", "");
        result.offsets.push_back(bytes);
        bytes += (type.size() + 7) / 8 * 8;
    }
    DataFile chosen;
    chosen.source = file_.source;
    for (std::size_t r = 0; r < file_.row_count(); ++r) {
        for (const std::size_t place : places)
            chosen.values.push_back(file_.row(r)[place]);
        chosen.row_ends.push_back(chosen.values.size());
        const auto row = chosen.row(r);
        if (r > 0 && r + 1 == file_.row_count() &&
            std::any_of(row.begin(), row.end(), [](const DataValue& value) {
                return value.kind == DataValue::Kind::missing;
            }))
            break;
        std::vector<std::uint64_t> words;
        if (!yaml::add_row(chosen, r, columns, "a row has", words, diagnostics))
            return std::nullopt;
        std::vector<std::byte>& into = result.rows.emplace_back(bytes);
        const std::uint64_t* next = words.data();
        for (std::size_t p = 0; p < elements.size(); ++p) {
            const Type& type = *graph.family_of(elements[p]).type;
            std::vector<std::byte> slot;
            yaml::put_leaves(type, next, slot);
            std::copy(slot.begin(), slot.end(),
                      into.begin() + static_cast<std::ptrdiff_t>(result.offsets[p]));
            next += type.leaf_count();
        }
    }
    result.elements = std::move(elements);
    return result;
}

int KeptInputs::open(const Options& options, FileAccess& files) {
    if (options.keep_inputs.empty())
        return exit_code::fine;
    if (const int refused = claim_output(files, trace_file(options.keep_inputs));
        refused != exit_code::fine)
        return refused;
    file_.emplace(options.keep_inputs);
    why_not_ = "no difference";
    if (file_->good())
        return exit_code::fine;
    report_error(Code::file_unwritable, file_->problem());
    return exit_code::file;
}

void KeptInputs::keep(const lockstep::FedRows& rows, const Graph& graph) {
    if (!file_ || cycles_ > 0)
        return;
    cycles_ = rows.rows.size();
    file_->write(text_of(rows, graph));
}

void KeptInputs::cannot_keep(std::string why) {
    why_not_ = std::move(why);
}

int KeptInputs::finish() {
    if (!file_)
        return exit_code::fine;
    if (cycles_ == 0) {
        file_->abandon();
        fmt::print("  {:<12} {}: {}\n", "not kept", shown_text(file_->path()), why_not_);
        return exit_code::fine;
    }
    if (!file_->commit()) {
        report_error(Code::file_unwritable, file_->problem());
        return exit_code::file;
    }
    fmt::print("  {:<12} {}: {}, for --inputs\n", "kept", shown_text(file_->path()),
               counted(cycles_, "cycle", "cycles"));
    return exit_code::fine;
}

} // namespace sme::cli
