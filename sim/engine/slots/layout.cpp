// SPDX-License-Identifier: Apache-2.0
#include "engine/slots/layout.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "sme/process.hpp"

namespace sme::engine {

namespace {

constexpr std::uint64_t cache_line = 64;
constexpr std::uint64_t page = 4096;

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Orders instances by the levels of their parts; instances with equal levels stay in source order.
Segments order_of(const ProcessFamily& family, const std::vector<PartLevels>& levels) {
    const bool uniform = std::all_of(levels.begin(), levels.end(),
                                     [](const PartLevels& part) { return part.is_uniform(); });
    if (uniform)
        return Segments::identity(family.count);
    std::vector<std::uint64_t> instances(family.count);
    std::iota(instances.begin(), instances.end(), std::uint64_t{0});
    std::stable_sort(instances.begin(), instances.end(), [&](std::uint64_t a, std::uint64_t b) {
        for (const PartLevels& part : levels)
            if (part.at(a) != part.at(b))
                return part.at(a) < part.at(b);
        return false;
    });
    Segments order;
    for (const std::uint64_t instance : instances)
        order.append(static_cast<std::int64_t>(instance));
    return order;
}

/// Consecutive slots of consecutive elements.
struct SlotRun {
    std::uint64_t element;
    std::uint64_t count;
    std::uint64_t offset;
};

class Placer {
public:
    Placer(const Graph& graph, Layout& layout) : graph_{graph}, layout_{layout} {}

    void run() {
        place(false);
        next_ = layout_.wires_begin = std::max(rounded_up(next_, page), page);
        place(true);
        layout_.arena_bytes = rounded_up(next_, page);
    }

private:
    /// Places all slots of registered buses, or all wires.
    void place(bool wires) {
        pieces_.assign(graph_.buses.size(), {});
        for (const std::uint32_t f : layout_.cut.families())
            for (const Port& port : graph_.processes[f].ports)
                if (port.output)
                    place_port(layout_.orders[f].then(port.buses), wires);
        for (std::size_t b = 0; b < graph_.buses.size(); ++b)
            if (graph_.buses[b].wire() == wires)
                finish_family(b);
    }

    void place_port(const Segments& elements, bool wires) {
        for (const Segment& run : elements.runs())
            for (std::uint64_t k = run.first; k < run.end();) {
                const auto element = static_cast<std::uint64_t>(run.at(k));
                const BusFamily& bus = graph_.family_of(element);
                std::uint64_t count = 1;
                if (run.stride == 1)
                    count = std::min(run.end() - k, bus.first + bus.count - element);
                if (bus.wire() == wires) {
                    const auto b = static_cast<std::size_t>(&bus - graph_.buses.data());
                    pieces_[b].push_back({element - bus.first, count, take(bus, count)});
                }
                k += count;
            }
    }

    std::uint64_t take(const BusFamily& bus, std::uint64_t count) {
        const std::uint64_t bytes = count * slot_size(bus);
        next_ = rounded_up(next_, bytes >= cache_line ? cache_line : bus.type->alignment());
        const std::uint64_t offset = next_;
        next_ += bytes;
        return offset;
    }

    /// Joins the pieces of a family in element order; elements without a writing process get their
    /// own slots.
    void finish_family(std::size_t b) {
        const BusFamily& bus = graph_.buses[b];
        const auto stride = static_cast<std::int64_t>(slot_size(bus));
        std::vector<SlotRun>& pieces = pieces_[b];
        std::sort(pieces.begin(), pieces.end(),
                  [](const SlotRun& x, const SlotRun& y) { return x.element < y.element; });
        Segments& written = layout_.buses[b].written;
        const auto fill = [&](std::uint64_t end) {
            if (const std::uint64_t missing = end - written.size())
                written.append(missing, static_cast<std::int64_t>(take(bus, missing)), stride);
        };
        for (const SlotRun& piece : pieces) {
            fill(piece.element);
            written.append(piece.count, static_cast<std::int64_t>(piece.offset), stride);
        }
        fill(bus.count);
        if (bus.delay < 2)
            layout_.buses[b].read = written;
        else
            layout_.buses[b].read.append(bus.count, static_cast<std::int64_t>(take(bus, bus.count)),
                                         stride);
    }

    const Graph& graph_;
    Layout& layout_;
    std::vector<std::vector<SlotRun>> pieces_; // by bus family
    std::uint64_t next_ = 0;
};

} // namespace

Layout Layout::of(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics) {
    Layout layout;
    layout.cut = Cut::of(graph, analysis.writers);
    for (std::size_t f = 0; f < graph.processes.size(); ++f)
        layout.orders.push_back(order_of(graph.processes[f], analysis.levels.parts[f]));
    layout.buses.resize(graph.buses.size());
    Placer{graph, layout}.run();
    constexpr std::uint64_t limit = internal::presence_flag - 1; // the largest address of a port
    if (layout.arena_bytes > limit)
        diagnostics.add(Code::network_too_large, graph.declared,
                        fmt::format("the buses of '{}' need {} bytes, but a network can have {}",
                                    graph.name, layout.arena_bytes, limit));
    return layout;
}

PortSlots Layout::port_slots(const Graph& graph, std::uint32_t family, const Port& port) const {
    PortSlots slots;
    slots.buses = port.indexed ? port.buses : orders[family].then(port.buses);
    for_each_bus(graph, slots.buses, [&](const Segment& run, const BusFamily& bus) {
        const BusSlots& found = buses[static_cast<std::size_t>(&bus - graph.buses.data())];
        const Segments offsets =
            Segments::affine(run.count, run.offset - static_cast<std::int64_t>(bus.first),
                             run.stride)
                .then(port.output ? found.written : found.read);
        for (const Segment& piece : offsets.runs())
            slots.offsets.append(piece.count, piece.offset, piece.stride);
    });
    return slots;
}

namespace {

void add_part(const ProcessFamily& family, std::uint32_t group, unsigned part,
              const PartLevels& levels, const Segments& order, std::vector<Item>& items) {
    if (levels.is_uniform()) {
        items.push_back(
            {levels.at(0), group, part, {0, family.count}, family.observer, family.observer});
        return;
    }
    for (std::uint64_t position = 0; position < family.count; ++position) {
        const std::uint32_t level = levels.at(static_cast<std::uint64_t>(order.at(position)));
        if (position > 0 && items.back().level == level)
            ++items.back().range.count;
        else
            items.push_back({level, group, part, {position, 1}, family.observer, family.observer});
    }
}

} // namespace

Schedule Schedule::of(const Graph& graph, const Levels& levels, const Layout& layout) {
    Schedule schedule;
    schedule.levels = levels.count;
    bool commits = false;
    for (const std::uint32_t f : layout.cut.families()) {
        const ProcessFamily& family = graph.processes[f];
        for (unsigned p = 0; p < family.parts.size(); ++p) {
            if (family.parts[p].kind == Part::Kind::commit) {
                schedule.items.push_back({levels.count, f, p, {0, 1}, true}); // in one call
                commits = true;
            } else
                add_part(family, f, p, levels.parts[f][p], layout.orders[f], schedule.items);
        }
    }
    schedule.levels += commits ? 1 : 0;
    std::stable_sort(schedule.items.begin(), schedule.items.end(),
                     [](const Item& a, const Item& b) { return a.level < b.level; });
    for (const Item& item : schedule.items)
        if (!item.always)
            schedule.last_step_level = item.level;
    return schedule;
}

} // namespace sme::engine
