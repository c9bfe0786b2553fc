// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "engine/engine.hpp"
#include "native/native.hpp"

namespace sme::fuzz {

/// Compiles an engine's processes and lets native code step them, as the command does. Null, with a
/// problem, when that cannot be done. What comes back must outlive the run. `threads`: by how many
/// whole cycles may be run in one go.
std::unique_ptr<native::Native> attach_native(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              unsigned threads, std::string& problem);

/// The same with one C file of native code that is there; false, with a problem, when that cannot
/// be done.
bool attach_file(engine::Engine& engine, native::Native& native, std::size_t file,
                 const native::CompilerSettings& settings, std::string& problem);

} // namespace sme::fuzz
