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
    /// Whether the network is going to run: then its Verilog modules are built, else only read.
    verilator::Modules::Purpose purpose = verilator::Modules::Purpose::look;
    std::uint64_t seed = 0; // of the modules' $random
    /// Whether the graph is analysed: not when processes will be added to it.
    bool analyse = true;
    /// Is given what was loaded before it is analysed. May be null.
    std::function<void(yaml::Design&, verilator::Modules&, Diagnostics&)> change = {};
};

/// A network file that was loaded and analysed, ready to be built.
struct Loaded {
    yaml::Design design;
    Analysis analysis; // empty for a library, and when none was asked for
    std::shared_ptr<verilator::Modules> modules;
};

/// Loads and checks a network file: reads it, lets the factories make its processes, analyses the
/// graph, and builds its Verilog modules last, when nothing else is wrong. Nothing when an error
/// was reported. A file of names alone (`Design::library`) is loaded, but there is no network.
std::optional<Loaded> load(const std::string& path, const Settings& settings,
                           const std::function<yaml::Kinds(VerilogModules*)>& factories,
                           Diagnostics& diagnostics);

/// The folder of the standard library, which holds `std/`: the one of an installation when this
/// program stands in its `bin`, else that of the sources.
std::string library_folder();

/// A folder of the user's cache: "verilog" holds built modules, "native" compiled networks. Empty:
/// the user has no cache.
std::string cache_folder(const std::string& name);

} // namespace sme::session
