// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/attach.hpp"

#include <vector>

namespace sme::fuzz {

std::unique_ptr<native::Native> attach_native(engine::Engine& engine, const Graph& graph,
                                              const native::CompilerSettings& settings,
                                              std::string& problem) {
    std::vector<Group*> groups;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        groups.push_back(&engine.group(f));
    std::vector<native::ScheduledStep> steps;
    for (const engine::Item& item : engine.schedule().items)
        steps.push_back({item.group, item.part, item.range});
    auto made = std::make_unique<native::Native>(graph, groups, engine.layout().wires_begin, steps);
    const native::Compiled compiled = native::compile(made->unit().text(), settings);
    problem = compiled.problem;
    if (!compiled.object || !made->load(compiled.object, problem))
        return nullptr;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        if (Group* const group = made->group(f))
            engine.exchange(f, *group);
    std::vector<engine::Row> rows;
    for (std::size_t k = 0; k < made->unit().rows().size(); ++k)
        rows.push_back(
            {made->unit().rows()[k].first, made->unit().rows()[k].end,
             [&native = *made, k](const Frame& frame) { return native.run_row(k, frame); }});
    engine.set_rows(std::move(rows));
    engine.decide_anew();
    return made;
}

} // namespace sme::fuzz
