// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "lockstep/random_rows.hpp"
#include "network/graph.hpp"
#include "yaml/data/data_file.hpp"
#include "yaml/design.hpp"

namespace sme::cli {

/// Reads --range, --assume, --handshake and the network's `assume`. Reports unknown names, numbers
/// that do not fit and invalid expressions.
lockstep::RandomRules read_rules(const Options& options, const yaml::SourceView& network,
                                 const Graph& graph, Diagnostics& diagnostics);

/// The inputs of a pair, in a file of its own: a row for each cycle, with the columns of a CSV
/// trace.
class InputsFile {
public:
    /// Reads the file; reports an error and returns `nullopt` if that fails.
    static std::optional<InputsFile> read(const std::string& path, Diagnostics& diagnostics);

    /// Returns the first column of these elements that the file lacks; empty if it has all.
    std::string missing(const Graph& graph, const std::vector<std::uint64_t>& elements) const;
    /// Returns the values of elements whose columns are all present. Ignores a last row with empty
    /// cells, which a trace with wires ends with. Reports an error and returns `nullopt` if a value
    /// does not fit.
    std::optional<lockstep::FedRows> rows(const Graph& graph, std::vector<std::uint64_t> elements,
                                          Diagnostics& diagnostics) const;
    Location where() const;

private:
    std::optional<std::size_t> place_of(const std::string& column) const;

    yaml::DataFile file_;
};

/// The file of --keep-inputs, which receives the inputs of the first difference.
class KeptInputs {
public:
    /// Claims and opens the file. Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options, FileAccess& files);
    void keep(const lockstep::FedRows& rows, const Graph& graph);
    /// Notes why a difference yields no inputs to keep.
    void cannot_keep(std::string why);
    /// Closes the file and reports its content. Returns an exit code.
    int finish();

private:
    std::optional<OutputFile> file_;
    std::uint64_t cycles_ = 0; // number of cycles kept
    std::string why_not_;
};

} // namespace sme::cli
