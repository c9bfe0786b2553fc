// SPDX-License-Identifier: Apache-2.0
#include "network/graph.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

namespace sme {

namespace {

const ProcessFamily::NameRun& run_of(const std::vector<ProcessFamily::NameRun>& names,
                                     std::uint64_t source) {
    const auto after = std::upper_bound(
        names.begin(), names.end(), source,
        [](std::uint64_t i, const ProcessFamily::NameRun& run) { return i < run.first; });
    return *std::prev(after);
}

} // namespace

void ProcessFamily::let_writes_wait() {
    if (!parts.empty() && parts.back().kind == Part::Kind::commit)
        return;
    Part commit;
    commit.kind = Part::Kind::commit;
    parts.push_back(std::move(commit));
}

std::string ProcessFamily::instance_name(std::uint64_t source) const {
    if (names.empty())
        return shape.element_name(name, source);
    const NameRun& run = run_of(names, source);
    return run.indexed ? fmt::format("{}[{}]", run.text, run.index + source - run.first) : run.text;
}

Location ProcessFamily::instance_location(std::uint64_t source) const {
    return names.empty() ? declared : run_of(names, source).declared;
}

void Graph::mark_writes() {
    for (BusFamily& bus : buses)
        bus.marked = !bus.state;
}

BusFamily& Graph::add(BusFamily family) {
    family.first = bus_count();
    family.count = family.shape.count();
    return buses.emplace_back(std::move(family));
}

std::uint64_t Graph::next_number() {
    static std::atomic<std::uint64_t> last{0}; // relaxed: only the numbers themselves matter
    return last.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t Graph::bus_count() const {
    return buses.empty() ? 0 : buses.back().first + buses.back().count;
}

std::uint64_t Graph::process_count() const {
    std::uint64_t sum = 0;
    for (const ProcessFamily& family : processes)
        sum += family.observer || family.helper ? 0 : family.count;
    return sum;
}

const BusFamily* Graph::reverse_field(const BusFamily& bundle, std::string_view field) const {
    const auto number = static_cast<std::uint32_t>(&bundle - buses.data());
    for (std::size_t b = number + 1; b < buses.size() && bundle_of(buses[b]) == &bundle; ++b)
        if (buses[b].reverse_field == field)
            return &buses[b];
    return nullptr;
}

std::uint64_t ProcessFamily::feeds(const BusFamily& bus) const {
    if (!input)
        return 0;
    return static_cast<std::uint64_t>(
        std::count_if(ports.begin(), ports.end(), [&](const Port& port) {
            const auto element = static_cast<std::uint64_t>(port.buses.at(0));
            return port.output && element >= bus.first && element < bus.first + bus.count;
        }));
}

const BusFamily& Graph::family_of(std::uint64_t element) const {
    const auto after =
        std::upper_bound(buses.begin(), buses.end(), element,
                         [](std::uint64_t e, const BusFamily& family) { return e < family.first; });
    return *std::prev(after);
}

} // namespace sme
