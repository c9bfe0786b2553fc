// SPDX-License-Identifier: Apache-2.0
#include "network/checks/writers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme {

namespace {

std::string port_name(const Graph& graph, const Writers::Run& run) {
    const ProcessFamily& family = graph.processes[run.family];
    return fmt::format("{}.{}", family.instance_name(run.instance), family.ports[run.port].name);
}

void report_two(const Graph& graph, std::uint64_t element, const Writers::Run& a,
                const Writers::Run& b, Diagnostics& diagnostics) {
    const auto location = [&](const Writers::Run& run) {
        const ProcessFamily& family = graph.processes[run.family];
        return family.port_location(family.ports[run.port], run.instance);
    };
    diagnostics
        .add(Code::two_writers, location(b),
             fmt::format("bus '{}' is written by '{}' and by '{}', but a bus has one writer",
                         graph.bus_name(element), port_name(graph, a), port_name(graph, b)))
        .note(location(a), fmt::format("'{}' writes it here", port_name(graph, a)))
        .note(graph.family_of(element).declared, "the bus is declared here");
}

void add_segment(const Segment& segment, std::uint32_t family, std::uint32_t port,
                 std::vector<Writers::Run>& runs) {
    const auto element = [&](std::uint64_t k) { return static_cast<std::uint64_t>(segment.at(k)); };
    if (segment.count == 1 || segment.stride == 1) {
        runs.push_back({element(segment.first), segment.count, family, port, segment.first});
        return;
    }
    // If all write the same bus, two instances suffice to report a conflict.
    const std::uint64_t end = segment.first + (segment.stride == 0 ? 2 : segment.count);
    for (std::uint64_t k = segment.first; k < end; ++k)
        runs.push_back({element(k), 1, family, port, k});
}

} // namespace

Writers Writers::of(const Graph& graph, Diagnostics& diagnostics) {
    Writers writers;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        for (std::uint32_t p = 0; p < graph.processes[f].ports.size(); ++p)
            if (graph.processes[f].ports[p].output)
                for (const Segment& segment : graph.processes[f].ports[p].buses.runs())
                    add_segment(segment, f, p, writers.runs_);
    std::stable_sort(writers.runs_.begin(), writers.runs_.end(),
                     [](const Run& a, const Run& b) { return a.first < b.first; });
    std::size_t widest = 0; // of the earlier runs, the one with the highest end
    for (std::size_t k = 1; k < writers.runs_.size(); ++k) {
        const Run& b = writers.runs_[k];
        Run a = writers.runs_[widest];
        if (b.first < a.end()) {
            a.instance += b.first - a.first;
            report_two(graph, b.first, a, b, diagnostics);
        }
        if (b.end() > a.end())
            widest = k;
    }
    return writers;
}

const Writers::Run* Writers::find(std::uint64_t element) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), element,
                         [](std::uint64_t e, const Run& run) { return e < run.first; });
    if (after == runs_.begin())
        return nullptr;
    const Run& run = *std::prev(after);
    return element < run.end() ? &run : nullptr;
}

std::int64_t Writers::first_unwritten(const Segment& segment) const {
    const std::int64_t stride = segment.stride < 0 ? -segment.stride : segment.stride;
    const std::int64_t last = segment.at(segment.end() - 1);
    const std::int64_t low = std::min(segment.offset, last);
    const std::int64_t high = std::max(segment.offset, last);
    for (std::int64_t element = low; element <= high;) {
        const Run* run = find(static_cast<std::uint64_t>(element));
        if (!run)
            return element;
        if (stride == 0)
            break;
        const auto end = static_cast<std::int64_t>(run->end());
        element += (end - element + stride - 1) / stride * stride; // the first one after the run
    }
    return -1;
}

} // namespace sme
