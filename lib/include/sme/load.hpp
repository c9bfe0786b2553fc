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
#include "sme/results.hpp"
#include "sme/run.hpp"
#include "sme/simulator.hpp"
#include "sme/verilog.hpp"

#ifndef SME_LIBRARY_FOLDER
#define SME_LIBRARY_FOLDER ""
#endif

/// Loads network files, as `sme run` does, in a program. The result is a network like one described
/// in C++: it accepts further processes in C++, traces, checkpoints, threads and the judge.
namespace sme {

/// Options for loading a network file.
struct LoadOptions {
    /// Values of the file's parameters, by name, written as in the file ("8", "data/tones.csv").
    std::map<std::string, std::string> parameters = {};
    /// The folder that contains `std/`, for `import: [std/fifo.yaml]`. Empty: that of the sources.
    // The installed folder, in programs built with an installed library.
    std::string library = SME_LIBRARY_FOLDER;
    /// Writes the files of `outputs:`. Rows are compared with the expected ones in any case.
    bool write_outputs = true;
    /// Files and folders to which outputs may be written, besides the network's folder and the
    /// current one.
    std::vector<std::string> allow = {};
    /// The tools that build the file's Verilog modules; if absent, a network with Verilog is
    /// rejected.
    std::optional<VerilogTools> verilog = {};
    std::uint64_t seed = 0; ///< of these modules' $random, and of `inputs: {x: random}`
    /// Multiplies the limits of the size of a file (16 MiB), of its YAML nodes (a million), and of
    /// the work of loading; 1 to 1000.
    std::uint64_t size = 1;
    /// Makes its processes report their writes to an auditor (`SimulatorOptions::auditor`).
    /// Required for a simulator with an auditor.
    bool judged = false;
    /// Receives warnings with file, line and column. Null: warnings are dropped.
    std::function<void(const std::string& text)> warning = {};
    /// The name of one of the file's `tests`, such as "burst[1]": loads the network as that test
    /// runs it. Empty: the network itself.
    std::string test = {};
    /// Buses whose `inputs` are left out, as processes that you add write them.
    std::vector<std::string> driven = {};
    /// With the file's checks and outputs.
    bool checks = true;
    /// The text of the network, instead of that of its file. The path then only says in which
    /// folder its other files are, and is named in messages.
    std::optional<std::string> text = {};
};

/// A network loaded from a file. Processes can be added as to any other network before simulators
/// are made from it. Each simulator has its own checks and outputs; two simulators cannot write the
/// same outputs at the same time.
class LoadedNetwork : public Network {
public:
    LoadedNetwork(LoadedNetwork&&) noexcept;
    LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
    ~LoadedNetwork();

    /// Returns the number of cycles that the file's `run:` section requests.
    std::optional<std::uint64_t> cycles() const;
    /// Returns true if the run ends without such a number: a process, an input or an output can
    /// halt it.
    bool ends_by_itself() const;
    /// Returns the length of a cycle in picoseconds: `clock:` of the `run:` section, or 10,000.
    std::uint64_t clock_ps() const;

    /// Returns the results of the checks so far in a simulator of this network, in file order. A
    /// failed check ends the run after its cycle.
    std::vector<CheckResult> checks(Simulator& simulator) const;
    /// Returns the results of the recorded outputs so far. The files are complete when the
    /// simulator has finished (`Simulator::finish` or its destructor).
    std::vector<OutputResult> outputs(Simulator& simulator) const;

private:
    friend LoadedNetwork load(const std::string& path, const LoadOptions& options);
    struct Data;
    LoadedNetwork(std::string name, std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

/// Loads a network file with everything it imports and reads. Throws NetworkError with every
/// diagnostic, as `sme check` prints them, if the file has errors. A bus that is read but has no
/// writer is reported only when a simulator is made, since processes may still be added.
LoadedNetwork load(const std::string& path, const LoadOptions& options = {});

/// An entry of a file's `tests`; for a family of tests, one member: "burst[1]".
struct TestEntry {
    std::string name;
    std::uint64_t first_seed = 0, last_seed = 0; ///< one run for each
};

/// Returns the tests of a network file, or of a file of tests, for `LoadOptions::test`. Builds no
/// Verilog. Throws as `load`.
std::vector<TestEntry> tests_of(const std::string& path, const LoadOptions& options = {});

} // namespace sme
