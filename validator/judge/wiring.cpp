// SPDX-License-Identifier: Apache-2.0
#include "judge/wiring.hpp"

#include "network/build.hpp"

namespace sme::validator {

Wiring::Wiring(const Audited& run) : run_{run}, graph_{run.graph()} {
    for (const BusFamily& bus : graph_.buses)
        plans_.push_back(
            {&bus, bus.type->leaves(), slot_size(bus), bus.has_marks() ? bus.type->size() : 0});
    writers_.resize(graph_.bus_count());
    find_writers();
}

void Wiring::find_writers() {
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
        const ProcessFamily& family = graph_.processes[f];
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            for (std::uint64_t k = 0; family.ports[p].output && k < family.count; ++k)
                writers_[slot(f, p, k).element] = WireWriter{f, k, p};
    }
}

SlotAt Wiring::slot(std::uint32_t family, std::uint32_t port, std::uint64_t position) const {
    const auto element = static_cast<std::uint64_t>(
        graph_.processes[family].ports[port].buses.at(instance(family, position)));
    return {&plan_of(element), element,
            static_cast<std::size_t>(run_.port_slots(family, port).at(position))};
}

const BusPlan& Wiring::plan_of(std::uint64_t element) const {
    return plans_[static_cast<std::size_t>(&graph_.family_of(element) - graph_.buses.data())];
}

std::size_t Wiring::read_offset(std::uint64_t element) const {
    const BusPlan& plan = plan_of(element);
    const auto family = static_cast<std::size_t>(&plan - plans_.data());
    return static_cast<std::size_t>(run_.slots(family).at(element - plan.bus->first));
}

std::size_t Wiring::written_offset(std::uint64_t element) const {
    const std::optional<WireWriter>& writer = writers_[element];
    return writer ? slot(writer->family, writer->port, writer->position).offset
                  : read_offset(element);
}

std::optional<std::uint64_t> Wiring::element_at(std::size_t offset) const {
    for (std::uint64_t element = 0; element < writers_.size(); ++element)
        for (const std::size_t begin : {read_offset(element), written_offset(element)})
            if (offset >= begin && offset < begin + plan_of(element).slot_bytes)
                return element;
    return std::nullopt;
}

} // namespace sme::validator
