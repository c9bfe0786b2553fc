// SPDX-License-Identifier: Apache-2.0
#include "debug/names.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "interpret/observers/operands.hpp"
#include "trace/collect/selection.hpp"

namespace sme::debug {

std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value) {
    TypeRef type = probe->type;
    return interpret::value_factory(
        std::move(probe), [type = std::move(type), &value](std::span<const std::byte> slot,
                                                           const std::string& problem) {
            value = {type, {slot.begin(), slot.end()}, problem};
        });
}

namespace {

/// Calls use(instance) for each instance whose port is bound to an element.
template <class Use> void each_bound(const Port& port, std::uint64_t element, Use use) {
    for (const Segment& run : port.buses.runs()) {
        const std::int64_t ahead = static_cast<std::int64_t>(element) - run.offset;
        if (run.stride == 0) {
            for (std::uint64_t k = 0; ahead == 0 && k < run.count; ++k)
                if (!use(run.first + k))
                    return;
        } else if (ahead % run.stride == 0 && ahead / run.stride >= 0 &&
                   ahead / run.stride < static_cast<std::int64_t>(run.count) &&
                   !use(run.first + static_cast<std::uint64_t>(ahead / run.stride)))
            return;
    }
}

} // namespace

std::string shown_name(const Graph& graph, const ProcessPlace& place) {
    const ProcessFamily& family = graph.processes[place.family];
    if (family.helper && !family.file.empty())
        return fmt::format("the input file '{}'", family.file);
    if (family.observer && !family.file.empty())
        return fmt::format("the output file '{}'", family.file);
    return family.instance_name(place.instance);
}

std::vector<ProcessPlace> users_of(const Graph& graph, std::uint64_t element, bool output,
                                   std::size_t most) {
    std::vector<ProcessPlace> found;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        if (family.observer && family.helper) // the debugger's own observers
            continue;
        for (const Port& port : family.ports)
            if (port.output == output && !port.own)
                each_bound(port, element, [&](std::uint64_t instance) {
                    const ProcessPlace place{f, instance};
                    if (std::find(found.begin(), found.end(), place) == found.end())
                        found.push_back(place);
                    return found.size() < most;
                });
    }
    return found;
}

std::vector<std::uint64_t> elements_fitting(const Graph& graph, const std::string& pattern,
                                            bool states, std::size_t most) {
    const trace::Selection selection{pattern};
    std::vector<std::uint64_t> found;
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; bus.state == states && k < bus.count; ++k) {
            if (found.size() >= most)
                return found;
            if (selection.matches(bus.element_name(bus.first + k)))
                found.push_back(bus.first + k);
        }
    return found;
}

std::vector<std::string> names_beginning(const Graph& graph, const std::string& begin,
                                         std::size_t most) {
    std::vector<std::string> found;
    const auto offer = [&](const std::string& name) {
        if (name.starts_with(begin) && found.size() < most)
            found.push_back(name);
    };
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; k < bus.count && found.size() < most; ++k) {
            const std::string name = bus.element_name(bus.first + k);
            offer(name);
            if (begin.starts_with(name))
                for (const Field& field : bus.type->fields())
                    offer(name + "." + field.name);
        }
    for (const ProcessFamily& family : graph.processes)
        for (std::uint64_t k = 0;
             !family.observer && !family.helper && k < family.count && found.size() < most; ++k) {
            offer(family.instance_name(k));
            for (const Memory& memory : family.memories)
                offer(family.instance_name(k) + "." + memory.name);
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace sme::debug
