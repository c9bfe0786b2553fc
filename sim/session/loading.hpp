// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "expr/process/observe.hpp"
#include "network/checks/check.hpp"
#include "network/verilog.hpp"
#include "session/run_loop.hpp"
#include "yaml/design.hpp"

namespace sme::session {

/// Returns the permissions of the network file at a path: it may write files in its folder, in the
/// current folder and in the folders of `allowed`, the files of `allowed` itself, and files that
/// the user gives as values of parameters.
std::shared_ptr<FileAccess> file_access(const std::string& network,
                                        const std::map<std::string, std::string>& parameters,
                                        const std::vector<std::string>& allowed);

/// Claims a file that a network names. If the network may not write it, adds a diagnostic at
/// `where` and returns false.
bool claim_output(FileAccess& files, const FileAccess::WriteRequest& wish, const Location& where,
                  Diagnostics& diagnostics);

/// Claims the file of a recorded output; with `resumes` also the file that keeps the rows of an
/// earlier run until the output is complete.
bool claim_recording(FileAccess& files, const expr::Recording& recording, bool resumes,
                     Diagnostics& diagnostics);

class RunDigest;

/// Returns what makes processes from the Verilog modules of a network, when the first of them is
/// met; null, with the problem, if that is impossible.
using OpenModules = std::function<std::shared_ptr<VerilogModules>(std::string& problem)>;

/// The options of loading a network file and its Verilog modules.
struct LoadSettings : yaml::LoadOptions {
    OpenModules open_modules = {}; // null: Verilog is refused
    std::uint64_t seed = 0;        // seed of $random in the modules
    /// True if a trace is possible that the network file does not request. Without a trace, signals
    /// inside Verilog modules are not observed.
    bool traced = true;
    /// Whether to analyse the graph; false if the caller adds processes to it.
    bool analyse = true;
    /// Receives what decides the values of a run of the network. May be null.
    RunDigest* digest = nullptr;
    /// Called with the loaded network before the analysis. May be null.
    std::function<void(yaml::Design&, VerilogModules&, Diagnostics&)> change = {};
};

/// A loaded and analysed network file, ready to be built.
struct Loaded {
    yaml::Design design;
    Analysis analysis; // empty for a library, and without `LoadSettings::analyse`
    std::shared_ptr<VerilogModules> modules;
};

/// Loads and checks a network file: reads it, creates its processes with the factories, analyses
/// the graph, and, without errors, builds its Verilog modules. Returns `nullopt` on an error. A
/// library file (`Design::library`) is loaded, but has no network.
std::optional<Loaded> load(const std::string& path, const LoadSettings& settings,
                           const std::function<yaml::GroupFactories(VerilogModules*)>& factories,
                           Diagnostics& diagnostics);

/// The data folder of the installation if this program is in its `bin`; otherwise empty.
std::string installed_folder();

/// The folder with the standard library `std/`: that of the installation if this program is in its
/// `bin`, otherwise that of the sources.
std::string library_folder();

/// A folder in the user's cache: "verilog" holds built modules, "native" compiled networks. Empty
/// if the user has no cache.
std::string cache_folder(const std::string& name);

} // namespace sme::session
