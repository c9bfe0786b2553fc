// SPDX-License-Identifier: Apache-2.0
//
// The slot of each element with a writer on one rank and a reader on another crosses.
#include "engine/ranks/rank_slots.hpp"

#include <algorithm>

#include "network/build.hpp"

namespace sme::engine {

namespace {

/// More save hardly any time, and a rank must run them all before it learns that another one has
/// ended.
constexpr std::uint64_t most_cycles = 32;

void sort_and_join(std::vector<Span>& spans) {
    std::sort(spans.begin(), spans.end(),
              [](const Span& one, const Span& other) { return one.offset < other.offset; });
    std::vector<Span> joined;
    for (const Span& span : spans)
        if (!joined.empty() && joined.back().offset + joined.back().bytes == span.offset)
            joined.back().bytes += span.bytes;
        else
            joined.push_back(span);
    spans = std::move(joined);
}

void add_slots(const Segments& slots, Range range, std::uint64_t bytes, std::vector<Span>& to) {
    for_each_run(slots, range.first, range.count, [&](const Segment& run) {
        const bool together = run.stride == static_cast<std::int64_t>(bytes);
        for (std::uint64_t k = run.first; k < run.end(); k += together ? run.count : 1)
            to.push_back(
                {static_cast<std::uint64_t>(run.at(k)), together ? run.count * bytes : bytes});
    });
}

} // namespace

/// Calls visit(first, count, rank) for pieces of the elements [first, end), `no_rank` for those
/// that no process writes.
template <class Visit>
void RankSlots::for_each_writer(std::uint64_t first, std::uint64_t end, Visit visit) const {
    const std::vector<Writers::Run>& runs = writers_.runs();
    auto run = std::upper_bound(
        runs.begin(), runs.end(), first,
        [](std::uint64_t element, const Writers::Run& run) { return element < run.end(); });
    for (std::uint64_t next = first; next < end; ++run) {
        const std::uint64_t written = run == runs.end() ? end : std::min(end, run->first);
        if (next < written)
            visit(next, written - next, no_rank);
        next = std::max(next, written);
        if (next == end)
            return;
        const std::uint64_t count = std::min(end, run->end()) - next;
        const std::uint64_t instance = run->instance + (next - run->first);
        shares_.for_each_piece(run->family, {instance, count}, [&](Range piece, unsigned rank) {
            visit(next + (piece.first - instance), piece.count, rank);
        });
        next += count;
    }
}

std::vector<Span> RankSlots::own(unsigned rank) const {
    Elements elements;
    for (const BusFamily& bus : graph_.buses) {
        const bool changes = begins_with_value(bus);
        for_each_writer(bus.first, bus.first + bus.count,
                        [&](std::uint64_t first, std::uint64_t count, unsigned writer) {
                            if (writer == rank || (writer == no_rank && changes))
                                elements.emplace_back(first, first + count);
                        });
    }
    return spans(elements, true);
}

std::vector<Range> RankSlots::stepped(unsigned rank, const BusFamily& bus) const {
    std::vector<Range> result;
    for_each_writer(bus.first, bus.first + bus.count,
                    [&](std::uint64_t first, std::uint64_t count, unsigned writer) {
                        const std::uint64_t at = first - bus.first;
                        if (writer != rank && writer != no_rank)
                            return;
                        if (!result.empty() && result.back().first + result.back().count == at)
                            result.back().count += count;
                        else
                            result.push_back({at, count});
                    });
    return result;
}

std::vector<Span> RankSlots::words(unsigned rank, std::uint32_t family, std::uint64_t bytes) const {
    std::vector<Span> result;
    shares_.for_each_position(family, layout_.orders[family], {0, graph_.processes[family].count},
                              [&](Range range, unsigned owner) {
                                  if (owner == rank)
                                      result.push_back({range.first * bytes, range.count * bytes});
                              });
    sort_and_join(result);
    return result;
}

std::vector<Link> RankSlots::links(unsigned rank, bool observes,
                                   const std::vector<Range>& observed) const {
    Crossing crossing{rank, {}};
    add_ports(crossing, false);
    if (observes)
        add_ports(crossing, true);
    for (const Range& range : observed)
        for_each_writer(range.first, range.first + range.count,
                        [&](std::uint64_t first, std::uint64_t count, unsigned writer) {
                            if (observes && writer != no_rank)
                                cross(first, count, 1, writer, 0, crossing);
                        });
    std::vector<Link> links;
    for (unsigned other = 0; other < shares_.ranks(); ++other) {
        Elements& sent = crossing.elements[{rank, other}];
        Elements& received = crossing.elements[{other, rank}];
        if (other != rank &&
            (!sent.empty() || !received.empty() || (observes && (rank == 0 || other == 0)))) {
            links.push_back({other, spans(sent, false), spans(received, false)});
            Link& link = links.back();
            if (!observes)
                link.cycles = std::min({least_delay(sent), least_delay(received), most_cycles});
            if (link.cycles > 1)
                link.elements = by_slot(sent);
        }
    }
    return links;
}

std::vector<std::vector<Span>> RankSlots::observed(const std::vector<Range>& elements) const {
    std::vector<Elements> written(shares_.ranks());
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
        for_each_writer(begin, end, [&](std::uint64_t first, std::uint64_t count, unsigned writer) {
            written[writer == no_rank ? 0 : writer].emplace_back(first, first + count);
        });
    };
    for (const Range& range : elements)
        add(range.first, range.first + range.count);
    for (const ProcessFamily& family : graph_.processes)
        for (const Port& port : family.ports)
            for (const Segment& run : port.buses.runs())
                for (std::uint64_t k = run.first; family.observer && !port.output && k < run.end();
                     k += run.stride == 1 ? run.count : 1) {
                    const auto first = static_cast<std::uint64_t>(run.at(k));
                    add(first, first + (run.stride == 1 ? run.count : 1));
                }
    std::vector<std::vector<Span>> result;
    for (Elements& each : written)
        result.push_back(spans(each, false));
    return result;
}

std::vector<std::vector<std::uint64_t>> RankSlots::boundary(unsigned rank) const {
    Crossing crossing{rank, {}};
    add_ports(crossing, false);
    std::vector<std::vector<std::uint64_t>> result(graph_.processes.size());
    for (const auto& [pair, elements] : crossing.elements)
        for (const auto& [first, end] : elements)
            for (std::uint64_t element = first; pair.first == rank && element < end; ++element)
                if (const Writers::Run* const writer = writers_.find(element))
                    result[writer->family].push_back(layout_.orders[writer->family].index_of(
                        static_cast<std::int64_t>(writer->instance + (element - writer->first))));
    for (std::vector<std::uint64_t>& positions : result) {
        std::sort(positions.begin(), positions.end());
        positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    }
    return result;
}

std::uint64_t RankSlots::least_delay(const Elements& elements) const {
    std::uint64_t least = ~std::uint64_t{0};
    for (auto [first, end] : elements)
        while (first < end) {
            const BusFamily& bus = graph_.family_of(first);
            least = std::min<std::uint64_t>(least, bus.delay);
            first = bus.first + bus.count;
        }
    return least;
}

/// Each element once, in the order of the slots that readers see.
std::vector<std::uint64_t> RankSlots::by_slot(const Elements& elements) const {
    std::vector<std::pair<std::int64_t, std::uint64_t>> slots;
    for (const auto& [first, end] : elements)
        for (std::uint64_t element = first; element < end; ++element) {
            const BusFamily& bus = graph_.family_of(element);
            const auto number = static_cast<std::size_t>(&bus - graph_.buses.data());
            slots.emplace_back(layout_.buses[number].read.at(element - bus.first), element);
        }
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    std::vector<std::uint64_t> result;
    for (const auto& [offset, element] : slots)
        result.push_back(element);
    return result;
}

std::vector<RankSlots::Load> RankSlots::loads() const {
    Crossing crossing{no_rank, {}};
    add_ports(crossing, false);
    std::vector<Load> result(shares_.ranks());
    for (auto& [pair, elements] : crossing.elements) {
        const auto [writer, reader] = pair;
        for (const Span& span : spans(elements, false))
            result[writer].bytes += span.bytes;
        const auto back = crossing.elements.find({reader, writer});
        const bool both = back != crossing.elements.end();
        if (both && reader < writer)
            continue; // counted with the other direction
        const std::uint64_t cycles = std::min(
            {least_delay(elements), both ? least_delay(back->second) : most_cycles, most_cycles});
        for (const unsigned rank : {writer, reader}) {
            ++result[rank].neighbours;
            result[rank].messages += 1 / static_cast<double>(cycles);
        }
    }
    return result;
}

void RankSlots::add_ports(Crossing& to, bool observers) const {
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
        for (const Port& port : graph_.processes[f].ports)
            if (graph_.processes[f].observer == observers && !port.output &&
                (!port.own || observers))
                add_port(f, port, to);
}

void RankSlots::add_port(std::uint32_t family, const Port& port, Crossing& to) const {
    for (const Segment& run : port.buses.runs()) {
        if (port.indexed) // an observer, which is on rank 0
            add_run(run, 0, to);
        else
            shares_.for_each_piece(
                family, {run.first, run.count}, [&](Range piece, unsigned reader) {
                    add_run({piece.first, piece.count, run.at(piece.first), run.stride}, reader,
                            to);
                });
    }
}

/// Elements that one rank reads: pieces with one writing rank.
void RankSlots::add_run(const Segment& run, unsigned reader, Crossing& to) const {
    for (std::uint64_t k = run.first; k < run.end();) {
        const auto element = static_cast<std::uint64_t>(run.at(k));
        const Writers::Run* const writer = writers_.find(element);
        std::uint64_t count = 1;
        if (writer) {
            const std::uint64_t instance = writer->instance + (element - writer->first);
            const RankShares::Owner owner = shares_.owner(writer->family, instance);
            const std::uint64_t ahead = std::min(writer->end() - element, owner.end - instance);
            if (run.stride == 0)
                count = run.end() - k;
            else if (run.stride > 0)
                count = std::min(run.end() - k,
                                 (ahead - 1) / static_cast<std::uint64_t>(run.stride) + 1);
            cross(element, count, run.stride, owner.rank, reader, to);
        }
        k += count;
    }
}

void RankSlots::cross(std::uint64_t element, std::uint64_t count, std::int64_t stride,
                      unsigned writer, unsigned reader, Crossing& to) {
    if (writer == reader || (to.rank != no_rank && writer != to.rank && reader != to.rank))
        return;
    Elements& elements = to.elements[{writer, reader}];
    if (stride == 1 || count == 1 || stride == 0)
        elements.emplace_back(element, element + (stride == 1 ? count : 1));
    else
        for (std::uint64_t k = 0; k < count; ++k)
            elements.emplace_back(element + k * static_cast<std::uint64_t>(stride),
                                  element + k * static_cast<std::uint64_t>(stride) + 1);
}

/// The slots of elements, each once.
std::vector<Span> RankSlots::spans(Elements& elements, bool with_delays) const {
    std::sort(elements.begin(), elements.end());
    std::vector<Span> result;
    std::uint64_t done = 0;
    for (auto [first, end] : elements) {
        first = std::max(first, done);
        while (first < end) {
            const BusFamily& bus = graph_.family_of(first);
            const std::uint64_t count = std::min(end, bus.first + bus.count) - first;
            const std::uint64_t bytes = slot_size(bus);
            const BusSlots& slots =
                layout_.buses[static_cast<std::size_t>(&bus - graph_.buses.data())];
            add_slots(slots.read, {first - bus.first, count}, bytes, result);
            if (with_delays && bus.delay >= 2) // otherwise both are the same slots
                add_slots(slots.written, {first - bus.first, count}, bytes, result);
            first += count;
            done = std::max(done, first);
        }
    }
    sort_and_join(result);
    return result;
}

} // namespace sme::engine
