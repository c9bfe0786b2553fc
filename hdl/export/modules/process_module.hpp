// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/module_set.hpp"
#include "export/modules/process_site.hpp"

namespace sme::hdl {

/// The input for writing a process module.
struct ProcessSource {
    const Graph& graph;
    std::size_t family;
    const expr::ProcessView& text;
    expr::Scope& scope;
    const std::vector<std::pair<std::string, Integer>>& parameters; // of its scope
    std::string name;                                               // wanted
    Location declared;
    std::uint64_t first = 0; // instances first … first + count − 1 of the family
    std::uint64_t count = 1;
    const KeptParameters* kept = nullptr; // of the network; null: no parameters, in a component
    bool says_so = false;                 // adds comments with the parameter values of the text
    bool packed = false;                  // structs at ports are one vector
};

/// Writes a process. The initial values of instances may differ only in slots.
Written write_process(const ProcessSource& source, Modules& modules, Diagnostics& diagnostics);

} // namespace sme::hdl
