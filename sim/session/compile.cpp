// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/access.hpp"
#include "native/native.hpp"
#include "session/system_compiler.hpp"
#include "sme/load.hpp"

namespace sme {

void compile(Simulator& simulator) {
    if (SimulatorAccess::is_judged(simulator))
        throw CompileError{"a simulator with an auditor steps each process by itself, interpreted"};
    if (const std::string why = session::missing_compiler(); !why.empty())
        throw CompileError{why};
    const native::CompilerSettings settings = session::system_compiler();
    engine::Engine& engine = SimulatorAccess::engine(simulator);
    const std::shared_ptr<native::Native> made =
        native::Native::of(SimulatorAccess::graph(simulator), engine);
    for (std::size_t file = 0; file < made->unit().files().size(); ++file) {
        native::Compiled compiled = native::compile(made->unit().text(file), settings);
        std::string problem = compiled.problem;
        if (!compiled.object || !made->load(file, std::move(compiled.object), problem))
            throw CompileError{fmt::format("native code cannot be made: {}", problem)};
    }
    SimulatorAccess::keep(simulator, made);
    made->attach_to(engine);
    engine.decide_anew();
}

} // namespace sme
