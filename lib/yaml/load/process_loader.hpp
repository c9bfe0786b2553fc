// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// The processes section: each entry becomes a family of processes with its program, and private
/// buses for its states.
void load_processes(const std::vector<ProcessSyntax>& section, Context& context);

/// A process that the loader makes itself: `process` says what it does, `name` and `shape` what it
/// is called in the network and who its members are.
Unit load_made_process(const ProcessSyntax& process, const std::string& name, const Shape& shape,
                       Context& context);

/// A component that has a step is one process: `inside` is its scope, where its ports are bound.
Unit load_component_process(const BodySyntax& body, const Location& where, Context& inside);

} // namespace sme::yaml
