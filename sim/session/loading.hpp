// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "network/checks/check.hpp"
#include "session/observed.hpp"
#include "verilator/run/modules.hpp"
#include "yaml/design.hpp"

namespace sme::session {

/// The options of loading a network file.
struct Settings {
    yaml::LoadOptions load;
    verilator::Settings verilog;
    /// Whether to build Verilog modules, for a run, or only to read them.
    verilator::Modules::Purpose purpose = verilator::Modules::Purpose::look;
    std::uint64_t seed = 0; // seed of $random in the modules
    /// True if a trace is possible that the network file does not request. Without a trace, signals
    /// inside Verilog modules are not observed.
    bool traced = true;
    /// Whether to analyse the graph; false if the caller adds processes to it.
    bool analyse = true;
    /// Called with the loaded network before the analysis. May be null.
    std::function<void(yaml::Design&, verilator::Modules&, Diagnostics&)> change = {};
};

/// A loaded and analysed network file, ready to be built.
struct Loaded {
    yaml::Design design;
    Analysis analysis; // empty for a library, and without `Settings::analyse`
    std::shared_ptr<verilator::Modules> modules;
};

/// Loads and checks a network file: reads it, creates its processes with the factories, analyses
/// the graph, and, without errors, builds its Verilog modules. Returns `nullopt` on an error. A
/// library file (`Design::library`) is loaded, but has no network.
std::optional<Loaded> load(const std::string& path, const Settings& settings,
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
