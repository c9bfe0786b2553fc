// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/attach.hpp"

namespace sme::fuzz {

std::unique_ptr<native::Native> attach_native(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              std::string& problem) {
    auto made = native::Native::of(graph, engine);
    const native::Compiled compiled = native::compile(made->unit().text(), settings);
    problem = compiled.problem;
    if (!compiled.object || !made->load(compiled.object, problem))
        return nullptr;
    made->attach_to(engine);
    engine.decide_anew();
    return made;
}

} // namespace sme::fuzz
