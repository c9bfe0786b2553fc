// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "engine/engine.hpp"
#include "native/native.hpp"

namespace sme::fuzz {

/// Compiles an engine's processes and lets native code step them, as the command does. Null, with a
/// problem, on failure. The result must outlive the run. `threads`: how many threads may run whole
/// cycles.
std::unique_ptr<native::Native> attach_native(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              unsigned threads, std::string& problem);

/// Does the same with one C file of existing native code; false, with a problem, on failure.
bool attach_file(engine::Engine& engine, native::Native& native, std::size_t file,
                 const native::CompilerSettings& settings, std::string& problem,
                 const native::Native* before = nullptr);

} // namespace sme::fuzz
