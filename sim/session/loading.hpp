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

/// How a network file is loaded.
struct Settings {
    yaml::LoadOptions load;
    verilator::Settings verilog;
    /// Whether the network will run: its Verilog modules are built, otherwise only read.
    verilator::Modules::Purpose purpose = verilator::Modules::Purpose::look;
    std::uint64_t seed = 0; // of the modules' $random
    /// Whether there may be a trace that the network file does not ask for. Without one, nothing
    /// takes the signals out of Verilog modules.
    bool traced = true;
    /// Whether to analyse the graph; false when the caller adds processes to it.
    bool analyse = true;
    /// Called with the loaded network before the analysis. May be null.
    std::function<void(yaml::Design&, verilator::Modules&, Diagnostics&)> change = {};
};

/// A loaded and analysed network file, ready to be built.
struct Loaded {
    yaml::Design design;
    Analysis analysis; // empty for a library, and when none was asked for
    std::shared_ptr<verilator::Modules> modules;
};

/// Loads and checks a network file: reads it, makes its processes by the factories, analyses the
/// graph, and builds its Verilog modules last, when there is no other error. Returns nothing after
/// an error. A library file (`Design::library`) is loaded, but has no network.
std::optional<Loaded> load(const std::string& path, const Settings& settings,
                           const std::function<yaml::GroupFactories(VerilogModules*)>& factories,
                           Diagnostics& diagnostics);

/// The installation's folder for data, when this program is in its `bin`; otherwise empty.
std::string installed_folder();

/// The folder that holds the standard library `std/`: that of the installation when this program
/// is in its `bin`, otherwise that of the sources.
std::string library_folder();

/// A folder of the user's cache: "verilog" holds built modules, "native" compiled networks. Empty
/// when the user has no cache.
std::string cache_folder(const std::string& name);

} // namespace sme::session
