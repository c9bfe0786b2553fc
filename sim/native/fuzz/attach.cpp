// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/attach.hpp"

namespace sme::fuzz {

std::unique_ptr<native::Native> attach_native(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              unsigned threads, std::string& problem) {
    auto result = native::Native::of(graph, engine, true, {.threads = {threads, nullptr}});
    for (std::size_t file = 0; file < result->c_module().files().size(); ++file)
        if (!attach_file(engine, *result, file, settings, problem))
            return nullptr;
    return result;
}

bool attach_file(engine::Engine& engine, native::Native& native, std::size_t file,
                 const native::CompilerSettings& settings, std::string& problem,
                 const native::Native* before) {
    const native::Compiled compiled = native::compile(native.c_module().text(file), settings);
    problem = compiled.problem;
    if (!compiled.object || !native.load(file, compiled.object, problem))
        return false;
    native.attach_to(engine, before);
    engine.decide_anew();
    return true;
}

} // namespace sme::fuzz
