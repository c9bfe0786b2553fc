// SPDX-License-Identifier: Apache-2.0
//
// 1. The blocks of the cut that must stay together are joined. 2. The joined blocks are dealt out.
// 3. For each element with a writer on one rank and a reader on another, its slot crosses.
#include "engine/ranks/rank_shares.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "network/build.hpp"

namespace sme::engine {

namespace {

/// The blocks of a cut, of which some must be on one rank.
class Dealer {
public:
    Dealer(const Graph& graph, const Writers& writers, const Cut& cut)
        : graph_{graph}, writers_{writers}, cut_{cut}, blocks_of_(graph.processes.size()),
          joined_(cut.blocks().size()) {
        std::iota(joined_.begin(), joined_.end(), std::size_t{0});
        for (std::size_t b = 0; b < joined_.size(); ++b)
            blocks_of_[cut.blocks()[b].family].push_back(b);
        for (auto& blocks : blocks_of_)
            std::sort(blocks.begin(), blocks.end(), [&](std::size_t one, std::size_t other) {
                return first_of(one) < first_of(other);
            });
    }

    /// The rank of each block.
    std::vector<unsigned> run(unsigned ranks) {
        std::vector<bool> observes(joined_.size());
        for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
            const ProcessFamily& family = graph_.processes[f];
            for (const MemoryUse& use : family.looks_at)
                for (const std::size_t block : blocks_of_[f])
                    join(block, block_of(use.family, use.instance));
            if (!family.observer)
                for (const Port& port : family.ports)
                    if (!port.output)
                        join_wires(f, port);
        }
        for (std::size_t b = 0; b < joined_.size(); ++b)
            if (graph_.processes[cut_.blocks()[b].family].observer)
                observes[root(b)] = true;
        // by the first block of each group of joined ones
        std::vector<std::size_t> groups;
        std::vector<double> costs(joined_.size());
        for (std::size_t b = 0; b < joined_.size(); ++b) {
            costs[root(b)] += cut_.blocks()[b].cost;
            if (root(b) == b)
                groups.push_back(b);
        }
        std::stable_partition(groups.begin(), groups.end(),
                              [&](std::size_t group) { return observes[group]; });
        std::vector<double> in_order;
        for (const std::size_t group : groups)
            in_order.push_back(costs[group]);
        const std::vector<unsigned> shares = shares_of(in_order, ranks);
        std::vector<unsigned> rank_of(joined_.size());
        for (std::size_t k = 0; k < groups.size(); ++k)
            rank_of[groups[k]] = observes[groups[k]] ? 0 : shares[k];
        for (std::size_t b = 0; b < joined_.size(); ++b)
            rank_of[b] = rank_of[root(b)];
        return rank_of;
    }

private:
    std::uint64_t first_of(std::size_t block) const { return cut_.blocks()[block].instances.first; }

    std::size_t block_of(std::uint32_t family, std::uint64_t instance) const {
        const auto& blocks = blocks_of_[family];
        const auto next = std::upper_bound(
            blocks.begin(), blocks.end(), instance,
            [&](std::uint64_t one, std::size_t block) { return one < first_of(block); });
        return *std::prev(next);
    }

    std::size_t root(std::size_t block) {
        while (joined_[block] != block)
            block = joined_[block] = joined_[joined_[block]];
        return block;
    }
    void join(std::size_t one, std::size_t other) {
        joined_[std::max(root(one), root(other))] = std::min(root(one), root(other));
    }

    void join_wires(std::uint32_t family, const Port& port) {
        for_each_bus(graph_, port.buses, [&](const Segment& run, const BusFamily& bus) {
            for (std::uint64_t k = run.first; bus.wire() && k < run.end(); ++k) {
                const auto element = static_cast<std::uint64_t>(run.at(k));
                if (const Writers::Run* const writer = writers_.find(element))
                    join(block_of(family, k),
                         block_of(writer->family, writer->instance + (element - writer->first)));
            }
        });
    }

    const Graph& graph_;
    const Writers& writers_;
    const Cut& cut_;
    std::vector<std::vector<std::size_t>> blocks_of_; // by family, by first instance
    std::vector<std::size_t> joined_; // an earlier block on the same rank, or itself
};

} // namespace

RankShares RankShares::of(const Graph& graph, const Writers& writers, const Cut& cut,
                          unsigned ranks) {
    RankShares result;
    result.ranks_ = ranks;
    result.runs_.resize(graph.processes.size());
    result.work_.resize(ranks);
    const std::vector<unsigned> rank_of = Dealer{graph, writers, cut}.run(ranks);
    double all = 0;
    for (std::size_t b = 0; b < rank_of.size(); ++b) {
        const Cut::Block& block = cut.blocks()[b];
        result.runs_[block.family].push_back({block.instances.first, rank_of[b]});
        result.work_[rank_of[b]] += block.cost;
        all += block.cost;
    }
    for (double& work : result.work_)
        work /= std::max(all, 1.0);
    for (auto& runs : result.runs_) {
        std::sort(runs.begin(), runs.end(),
                  [](const Run& one, const Run& other) { return one.first < other.first; });
        runs.erase(
            std::unique(runs.begin(), runs.end(),
                        [](const Run& one, const Run& next) { return one.rank == next.rank; }),
            runs.end());
    }
    return result;
}

RankShares::Owner RankShares::owner(std::uint32_t family, std::uint64_t instance) const {
    const std::vector<Run>& runs = runs_[family];
    const auto next =
        std::upper_bound(runs.begin(), runs.end(), instance,
                         [](std::uint64_t one, const Run& run) { return one < run.first; });
    return {std::prev(next)->rank, next == runs.end() ? ~std::uint64_t{0} : next->first};
}

void keep_own(Schedule& schedule, const Graph& graph, const Layout& layout,
              const RankShares& shares, unsigned rank) {
    std::vector<Item> kept;
    for (const Item& item : schedule.items) {
        if (item.group >= graph.processes.size() ||
            graph.processes[item.group].parts[item.part].kind == Part::Kind::commit) {
            kept.push_back(item); // makes the waiting writes of this rank
            continue;
        }
        const std::uint64_t end = item.range.first + item.range.count;
        const std::size_t before = kept.size();
        for (std::uint64_t k = item.range.first; k < end;) {
            const Segments& order = layout.orders[item.group];
            const Segment& run = order.runs()[order.run_of(k)];
            const auto instance = static_cast<std::uint64_t>(run.at(k));
            const RankShares::Owner owner = shares.owner(item.group, instance);
            const std::uint64_t count =
                run.stride == 1 ? std::min({end - k, run.end() - k, owner.end - instance}) : 1;
            if (owner.rank == rank) {
                if (kept.size() > before && kept.back().range.first + kept.back().range.count == k)
                    kept.back().range.count += count;
                else {
                    kept.push_back(item);
                    kept.back().range = {k, count};
                }
            }
            k += count;
        }
    }
    // observers see the wires of other ranks after the last step, and commits follow them
    for (Item& item : kept)
        if (item.observer)
            item.level = std::max(item.level, schedule.last_step_level + 1);
        else if (item.always)
            item.level = std::max(item.level, schedule.last_step_level + 2);
    schedule.levels = std::max(schedule.levels, schedule.last_step_level + 3);
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Item& a, const Item& b) { return a.level < b.level; });
    schedule.items = std::move(kept);
}

namespace {

/// The elements that cross from one rank to another, as ranges [first, end).
using Elements = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class Crossing {
public:
    Crossing(unsigned rank, const Graph& graph, const Writers& writers, const Layout& layout,
             const RankShares& shares)
        : rank_{rank}, graph_{graph}, writers_{writers}, layout_{layout}, shares_{shares} {}

    std::vector<Link> run(bool observes) {
        for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
            for (const Port& port : graph_.processes[f].ports)
                if (!port.output && !port.own)
                    add(f, port);
        if (observes)
            for (const Writers::Run& run : writers_.runs())
                for_each_owner(run.family, run.instance, run.count,
                               [&](std::uint64_t first, std::uint64_t count, unsigned writer) {
                                   cross(run.first + first, count, 1, writer, 0);
                               });
        std::vector<Link> links;
        const bool star = observes || std::any_of(graph_.processes.begin(), graph_.processes.end(),
                                                  [](const auto& each) { return each.observer; });
        for (unsigned other = 0; other < shares_.ranks(); ++other)
            if (other != rank_ && (!sent_[other].empty() || !received_[other].empty() ||
                                   (star && (rank_ == 0 || other == 0))))
                links.push_back({other, spans(sent_[other]), spans(received_[other])});
        return links;
    }

    std::vector<Span> own() const {
        Elements elements;
        for (const Writers::Run& run : writers_.runs())
            for_each_owner(run.family, run.instance, run.count,
                           [&](std::uint64_t first, std::uint64_t count, unsigned writer) {
                               if (writer == rank_)
                                   elements.emplace_back(run.first + first,
                                                         run.first + first + count);
                           });
        return spans(elements, true);
    }

private:
    template <class Visit>
    void for_each_owner(std::uint32_t family, std::uint64_t instance, std::uint64_t count,
                        Visit visit) const {
        for (std::uint64_t k = 0; k < count;) {
            const RankShares::Owner owner = shares_.owner(family, instance + k);
            const std::uint64_t next = std::min(count - k, owner.end - instance - k);
            visit(k, next, owner.rank);
            k += next;
        }
    }

    void add(std::uint32_t family, const Port& port) {
        for (const Segment& run : port.buses.runs()) {
            if (port.indexed) // an observer, which is on rank 0
                add_run(run, 0);
            else
                for_each_owner(
                    family, run.first, run.count,
                    [&](std::uint64_t first, std::uint64_t count, unsigned reader) {
                        add_run({run.first + first, count, run.at(run.first + first), run.stride},
                                reader);
                    });
        }
    }

    /// Elements that one rank reads: pieces with one writing rank.
    void add_run(const Segment& run, unsigned reader) {
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
                cross(element, count, run.stride, owner.rank, reader);
            }
            k += count;
        }
    }

    void cross(std::uint64_t element, std::uint64_t count, std::int64_t stride, unsigned writer,
               unsigned reader) {
        if (writer == reader || (writer != rank_ && reader != rank_))
            return;
        Elements& to = writer == rank_ ? sent_[reader] : received_[writer];
        if (stride == 1 || count == 1 || stride == 0)
            to.emplace_back(element, element + (stride == 1 ? count : 1));
        else
            for (std::uint64_t k = 0; k < count; ++k)
                to.emplace_back(element + k * static_cast<std::uint64_t>(stride),
                                element + k * static_cast<std::uint64_t>(stride) + 1);
    }

    /// The slots of elements, each once.
    std::vector<Span> spans(Elements& elements, bool with_delays = false) const {
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
        std::sort(result.begin(), result.end(),
                  [](const Span& one, const Span& other) { return one.offset < other.offset; });
        std::vector<Span> joined;
        for (const Span& span : result)
            if (!joined.empty() && joined.back().offset + joined.back().bytes == span.offset)
                joined.back().bytes += span.bytes;
            else
                joined.push_back(span);
        return joined;
    }

    static void add_slots(const Segments& slots, Range range, std::uint64_t bytes,
                          std::vector<Span>& to) {
        for_each_run(slots, range.first, range.count, [&](const Segment& run) {
            const bool together = run.stride == static_cast<std::int64_t>(bytes);
            for (std::uint64_t k = run.first; k < run.end(); k += together ? run.count : 1)
                to.push_back(
                    {static_cast<std::uint64_t>(run.at(k)), together ? run.count * bytes : bytes});
        });
    }

    const unsigned rank_;
    const Graph& graph_;
    const Writers& writers_;
    const Layout& layout_;
    const RankShares& shares_;
    std::map<unsigned, Elements> sent_, received_; // by the other rank
};

} // namespace

std::vector<Link> links_of(unsigned rank, const Graph& graph, const Writers& writers,
                           const Layout& layout, const RankShares& shares, bool observes) {
    return Crossing{rank, graph, writers, layout, shares}.run(observes);
}

std::vector<Span> own_slots(unsigned rank, const Graph& graph, const Writers& writers,
                            const Layout& layout, const RankShares& shares) {
    return Crossing{rank, graph, writers, layout, shares}.own();
}

} // namespace sme::engine
