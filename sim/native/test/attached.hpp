// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/test/scratch.hpp"
#include "engine/engine.hpp"
#include "native/native.hpp"

namespace sme::test {

/// The C compiler of the tests.
inline std::string c_compiler() {
    for (const char* path : {"/usr/bin/cc", "/usr/local/bin/cc"})
        if (::access(path, X_OK) == 0)
            return path;
    return "";
}

inline native::CompilerSettings compiler_settings(const Scratch& scratch) {
    native::CompilerSettings settings;
    settings.compiler = c_compiler();
    settings.folder = scratch.path("native");
    return settings;
}

/// Compiles one file of native code and loads its functions.
inline void load(native::Native& native, std::size_t file,
                 const native::CompilerSettings& settings) {
    const std::string text = native.c_module().text(file);
    INFO(text);
    const native::Compiled compiled = native::compile(text, settings);
    REQUIRE(compiled.problem == "");
    std::string problem;
    REQUIRE(native.load(file, compiled.object, problem));
}

/// Compiles an engine's processes and lets native code step them.
inline std::unique_ptr<native::Native> attach(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              bool fused = true) {
    auto result = native::Native::of(graph, engine, fused);
    for (std::size_t file = 0; file < result->c_module().files().size(); ++file)
        load(*result, file, settings);
    result->attach_to(engine);
    return result;
}

} // namespace sme::test
