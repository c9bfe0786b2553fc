// SPDX-License-Identifier: Apache-2.0
#include "engine/placement/costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/threads/team.hpp"
#include "network/build.hpp"

namespace sme::engine {

namespace {

constexpr std::uint64_t max_cells = 4096; // per item
constexpr float guess_ns = 5;             // for an instance that was never measured
constexpr double chunk_ns = 1000;
constexpr std::uint64_t max_pieces = 64;          // per item, before its first measurement
constexpr double short_ns = 1000, long_ns = 4000; // limits for a well-timed piece

/// The number of instances that fill whole cache lines at each output.
std::uint64_t line_of(const Graph& graph, const Item& item) {
    constexpr std::uint64_t line = 64;
    if (item.group >= graph.processes.size())
        return line;
    std::uint64_t instances = 1;
    for (const Port& port : graph.processes[item.group].ports)
        if (port.output && port.buses.size() > 0) {
            const BusFamily& bus = graph.family_of(static_cast<std::uint64_t>(port.buses.at(0)));
            const std::uint64_t bytes = slot_size(bus);
            const std::uint64_t common = std::uint64_t{1} << std::min(std::countr_zero(bytes), 6);
            instances = std::max(instances, line / common);
        }
    return instances;
}

/// The operations of all parts count for each part.
double operations_of(const Graph& graph, const Item& item) {
    return static_cast<double>(item.range.count) *
           (item.group < graph.processes.size() ? graph.processes[item.group].operations() : 1);
}

} // namespace

Costs::Costs(const Graph& graph, const Schedule& schedule) : schedule_{schedule} {
    for (const Item& item : schedule.items) {
        ItemCosts& costs = items_.emplace_back();
        costs.line = line_of(graph, item);
        costs.weight = operations_of(graph, item);
        if (item.range.count > max_cells) {
            const std::uint64_t least = (item.range.count + max_cells - 1) / max_cells;
            costs.cell = (least + costs.line - 1) / costs.line * costs.line;
        }
        costs.each.assign((item.range.count + costs.cell - 1) / costs.cell, guess_ns);
        const std::uint64_t piece = (item.range.count + max_pieces - 1) / max_pieces;
        pieces_.push_back((piece + costs.cell - 1) / costs.cell * costs.cell);
    }
}

void Costs::forget() {
    for (ItemCosts& costs : items_) {
        std::fill(costs.each.begin(), costs.each.end(), guess_ns);
        costs.median = 0;
        costs.measures = 0;
        costs.settled = false;
    }
}

/// A disturbance (a cold cache, a preempted thread) makes a measurement longer, never shorter. So
/// costs fall fast, and one long measurement leaves them near the median of their item.
static float blended(float known, float measured) {
    constexpr float most = 1.9F, rising = 0.5F, falling = 0.875F;
    const float believed = std::min(measured, most * known);
    return known + (believed > known ? rising : falling) * (believed - known);
}

void Costs::note(std::uint32_t item, Range range, double each_ns) {
    ItemCosts& costs = items_[item];
    costs.settled = false;
    const auto each = static_cast<float>(each_ns);
    const std::uint64_t first = range.first - schedule_.items[item].range.first;
    const std::uint64_t begin = first / costs.cell;
    const std::uint64_t end = std::max((first + range.count) / costs.cell, begin + 1);
    for (std::uint64_t k = begin; k < std::min<std::uint64_t>(end, costs.each.size()); ++k) {
        float& known = costs.each[k];
        known = costs.measures == 0   ? each
                : costs.measures == 1 ? std::min(known, each) // the first is the least accurate
                                      : blended(known, each);
    }
    if (range.first + range.count ==
        schedule_.items[item].range.first + schedule_.items[item].range.count)
        costs.measures = std::min(costs.measures + 1, 2U);
}

void Costs::learn(const CycleSampler::Event& event) {
    const auto ns = static_cast<double>(event.end_ns - event.begin_ns);
    const double own_ns = std::max(ns - clock_cost_ns(), 0.0);
    if (event.end_item != 0) {
        double all = 0;
        for (std::uint32_t k = event.item; k < event.end_item; ++k)
            all += items_[k].weight;
        for (std::uint32_t k = event.item; k < event.end_item; ++k)
            if (const Range& range = schedule_.items[k].range; range.count > 0)
                note(k, range, own_ns * items_[k].weight / all / static_cast<double>(range.count));
        return;
    }
    note(event.item, event.range, own_ns / static_cast<double>(event.range.count));
    const std::uint64_t cell = items_[event.item].cell;
    std::uint64_t& piece = pieces_[event.item];
    if (ns < short_ns && piece < schedule_.items[event.item].range.count)
        piece *= 2;
    else if (ns > long_ns && event.range.count == piece && piece > cell)
        piece = std::max(piece / 2 / cell * cell, cell);
}

float Costs::ItemCosts::of_cell(std::size_t cell) const {
    constexpr float near = 1.5F;
    const float own = each[cell];
    return own < median * near && own * near > median ? median : own;
}

void Costs::settle() {
    for (ItemCosts& item : items_) {
        // an item may be empty: a class with no accepted process
        if (item.settled || item.each.empty())
            continue;
        item.settled = true;
        std::vector<float> sorted = item.each;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        item.median = *middle;
    }
}

double Costs::of(std::uint32_t item, Range range) const {
    const ItemCosts& costs = items_[item];
    const std::uint64_t first = range.first - schedule_.items[item].range.first;
    double sum = 0;
    for (std::uint64_t at = first; at < first + range.count;) {
        const std::uint64_t cell = at / costs.cell;
        const std::uint64_t end = std::min((cell + 1) * costs.cell, first + range.count);
        sum += static_cast<double>(costs.of_cell(cell)) * static_cast<double>(end - at);
        at = end;
    }
    return sum;
}

ChunkTable Costs::chunks() const {
    ChunkTable table;
    for (std::uint32_t k = 0; k < items_.size(); ++k) {
        const ItemCosts& costs = items_[k];
        const Item& item = schedule_.items[k];
        Chunk chunk{item.level, item.group, item.part, item.range.first, 0, 0};
        for (std::size_t c = 0; c < costs.each.size(); ++c) {
            const std::uint64_t here = std::min(costs.cell, item.range.count - c * costs.cell);
            chunk.count += here;
            chunk.cost_ns += static_cast<double>(costs.of_cell(c)) * static_cast<double>(here);
            const bool last = c + 1 == costs.each.size();
            if (!last && chunk.count % costs.line != 0 && chunk.cost_ns < chunk_ns)
                continue;
            table.chunks.push_back(chunk);
            table.items.push_back(k);
            chunk.first += chunk.count;
            chunk.count = 0;
            chunk.cost_ns = 0;
        }
    }
    return table;
}

std::uint64_t Costs::max_chunks() const {
    std::uint64_t sum = 0;
    for (const ItemCosts& item : items_)
        sum += item.each.size();
    return sum;
}

void Costs::update(ChunkTable& table) const {
    for (std::size_t k = 0; k < table.chunks.size(); ++k) {
        Chunk& chunk = table.chunks[k];
        chunk.cost_ns = of(table.items[k], {chunk.first, chunk.count});
    }
}

} // namespace sme::engine
