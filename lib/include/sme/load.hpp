// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sme/network.hpp"
#include "sme/run.hpp"
#include "sme/simulator.hpp"
#include "sme/verilog.hpp"

#ifndef SME_LIBRARY_FOLDER
#define SME_LIBRARY_FOLDER ""
#endif

/// Network files, as `sme run` takes them, in a program: they become networks like those that are
/// described in C++, so that everything for networks and simulators serves them: more processes in
/// C++, traces, checkpoints, threads, the judge.
namespace sme {

/// How a network file is loaded.
struct LoadOptions {
    /// Values of its parameters, by name, written as in the file ("8", "data/tones.csv").
    std::map<std::string, std::string> parameters = {};
    /// The folder that holds `std/`, for `import: [std/fifo.yaml]`. Empty: that of the sources.
    std::string library = SME_LIBRARY_FOLDER; // the installation's, in programs that use one
    /// Whether the files of `outputs:` are written. Rows are compared with what the file expects in
    /// any case.
    bool write_outputs = true;
    /// Files, or folders, that outputs may be written to beside the folder of the network and the
    /// current one.
    std::vector<std::string> allow = {};
    /// With what Verilog modules of the file are built; none: a network with Verilog is refused.
    std::optional<VerilogTools> verilog = {};
    std::uint64_t seed = 0; ///< decides $random of these modules
    /// Whether its processes tell an auditor (`SimulatorOptions::auditor`) what they write. A
    /// simulator with an auditor needs this.
    bool judged = false;
    /// Told of warnings, with the file, line and column. Null: no one is.
    std::function<void(const std::string& text)> warning = {};
};

/// What became of one check of a network file.
struct CheckResult {
    enum class Kind : std::uint8_t {
        not_reached, ///< never evaluated; of a sequence (`a then b`): it never began
        passed,
        failed,
        pending, ///< of a sequence: some that began have neither ended well nor failed
    };
    Kind kind = Kind::not_reached;
    std::string text;        ///< as it is written: "always: total.valid == (cycle >= 2)"
    std::string owner;       ///< the instance of the component it stands in; empty: the network
    std::string place;       ///< "network.yaml:31:5"
    std::uint64_t cycle = 0; ///< of the failure; of the first time for `eventually` and `cover`
    /// In how many cycles it was looked at; of a sequence: how often it began.
    std::uint64_t evaluated = 0;
    /// Of a failure: what was looked at in that cycle, and its value.
    std::vector<std::pair<std::string, std::string>> values;

    /// Whether it counts as failed; `strict`: also when it was not reached or is pending, as for
    /// `sme run --strict`.
    bool has_failed(bool strict = false) const {
        return kind == Kind::failed || (strict && kind != Kind::passed);
    }
};

/// What came of one recorded output of a network file.
struct OutputResult {
    std::string path;
    std::uint64_t rows = 0;                     ///< so far
    std::optional<std::uint64_t> expected_rows; ///< none: nothing is expected
    std::string difference; ///< the first one from what is expected; empty: none so far
    std::string problem;    ///< why the file cannot be written; empty: it can

    /// Whether it counts as failed; `strict`: also when expected rows have not come.
    bool has_failed(bool strict = false) const {
        return !difference.empty() || !problem.empty() ||
               (strict && expected_rows && rows < *expected_rows);
    }
};

/// A network that was loaded from a file. It can be added to like any other, before simulators are
/// made of it. Each simulator of it has checks and outputs of its own; two of them at once cannot
/// write the same outputs.
class LoadedNetwork : public Network {
public:
    LoadedNetwork(LoadedNetwork&&) noexcept;
    LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
    ~LoadedNetwork();

    /// How many cycles the file's `run:` section asks for.
    std::optional<std::uint64_t> cycles() const;
    /// Of one cycle, in picoseconds: `clock:` of the `run:` section, else 10,000.
    std::uint64_t clock_ps() const;

    /// What became of the checks so far in a simulator of this network, in the order of the file.
    /// A failed check ends the run after its cycle.
    std::vector<CheckResult> checks(Simulator& simulator) const;
    /// What came of the recorded outputs so far. The files are whole when the simulator has
    /// finished (`Simulator::finish`, or its end).
    std::vector<OutputResult> outputs(Simulator& simulator) const;

private:
    friend LoadedNetwork load(const std::string& path, const LoadOptions& options);
    struct Data;
    LoadedNetwork(std::string name, std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

/// Loads a network file with all that it imports and reads. Throws NetworkError with every
/// diagnostic, as `sme check` prints them, when it has errors. Whether every bus that is read has a
/// writer is checked when a simulator is made, as processes may still be added.
LoadedNetwork load(const std::string& path, const LoadOptions& options = {});

} // namespace sme
