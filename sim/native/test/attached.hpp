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

/// Compiles an engine's processes and lets native code step them.
inline std::unique_ptr<native::Native> attach(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              bool rows = true) {
    std::vector<Group*> groups;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        groups.push_back(&engine.group(f));
    std::vector<native::ScheduledStep> steps;
    for (const engine::Item& item : engine.schedule().items)
        steps.push_back({item.group, item.part, item.range});
    auto made =
        std::make_unique<native::Native>(graph, groups, engine.layout().wires_begin,
                                         rows ? steps : std::vector<native::ScheduledStep>{});
    native::Compiled compiled = native::compile(made->unit().text(), settings);
    INFO(made->unit().text());
    REQUIRE(compiled.problem == "");
    std::string problem;
    REQUIRE(made->load(compiled.object, problem));
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        if (Group* const steps = made->group(f))
            engine.exchange(f, *steps);
    std::vector<engine::Row> found;
    for (std::size_t k = 0; k < made->unit().rows().size(); ++k)
        found.push_back(
            {made->unit().rows()[k].first, made->unit().rows()[k].end,
             [&native = *made, k](const Frame& frame) { return native.run_row(k, frame); }});
    engine.set_rows(std::move(found));
    return made;
}

} // namespace sme::test
