// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_access.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "lockstep/fed_rows.hpp"
#include "yaml/data/data_file.hpp"

namespace sme::cli {

/// What a pair reads, in a file of its own: a row for each cycle, with the columns of a CSV trace.
class InputsFile {
public:
    /// Nothing, and reported, when it cannot be read.
    static std::optional<InputsFile> read(const std::string& path, Diagnostics& diagnostics);

    /// Of the columns of these elements, the first that the file does not have; empty: it has all.
    std::string missing(const Graph& graph, const std::vector<std::uint64_t>& elements) const;
    /// The values of elements whose columns it has. A last row with empty cells, as the wires of a
    /// trace leave it, is none. Nothing, and reported, when a value does not fit.
    std::optional<lockstep::FedRows> rows(const Graph& graph, std::vector<std::uint64_t> elements,
                                          Diagnostics& diagnostics) const;
    Location where() const;

private:
    std::optional<std::size_t> place_of(const std::string& column) const;

    yaml::DataFile file_;
};

/// The file of --keep-inputs, which the first difference fills.
class KeptInputs {
public:
    /// Claims and opens it. The exit code of what went wrong, which has been said; or fine.
    int open(const Options& options, FileAccess& files);
    void keep(const lockstep::FedRows& rows, const Graph& graph);
    /// Why a difference has left nothing to keep.
    void cannot_keep(std::string why);
    /// Ends the file and says what became of it. An exit code.
    int finish();

private:
    std::optional<OutputFile> file_;
    std::uint64_t cycles_ = 0; // kept
    std::string why_not_;
};

} // namespace sme::cli
