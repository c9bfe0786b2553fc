// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Loads the processes section: each entry becomes a family of processes with its program, and
/// private buses for its states.
void load_processes(const std::vector<ProcessSyntax>& section, Context& context);

/// Loads a process that the loader generates: `process` is its text, `name` its name in the network
/// and `shape` the shape of its family.
Unit load_made_process(const ProcessSyntax& process, const std::string& name, const Shape& shape,
                       Context& context);

/// Loads a component that has a step, as one process: `inside` is its scope, with its ports bound.
Unit load_component_process(const BodySyntax& body, const Location& where, Context& inside);

} // namespace sme::yaml
