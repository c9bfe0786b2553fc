// SPDX-License-Identifier: Apache-2.0
//
// 1. The blocks of the cut that must stay together are joined. 2. The joined blocks are dealt out.
#include "engine/ranks/rank_shares.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "network/build.hpp"

namespace sme::engine {

namespace {

/// The blocks of a cut, divided further where they are large shares of a rank.
std::vector<Cut::Block> fine_blocks(const Cut& cut, unsigned ranks) {
    constexpr double per_rank = 8;
    double all = 0;
    for (const Cut::Block& block : cut.blocks())
        all += block.cost;
    const double most = std::max(all / (per_rank * ranks), 1.0);
    std::vector<Cut::Block> result;
    for (const Cut::Block& block : cut.blocks()) {
        const std::uint64_t count = std::max<std::uint64_t>(block.instances.count, 1);
        const auto pieces =
            std::clamp<std::uint64_t>(static_cast<std::uint64_t>(block.cost / most), 1, count);
        for (std::uint64_t k = 0; k < pieces; ++k) {
            const std::uint64_t first = block.instances.count * k / pieces;
            const std::uint64_t end = block.instances.count * (k + 1) / pieces;
            result.push_back(
                {block.family,
                 {block.instances.first + first, end - first},
                 block.cost * static_cast<double>(end - first) / static_cast<double>(count)});
        }
    }
    return result;
}

/// Blocks of processes, of which some must be on one rank.
class Dealer {
public:
    Dealer(const Graph& graph, const Writers& writers, const std::vector<Cut::Block>& blocks)
        : graph_{graph}, writers_{writers}, all_{blocks}, blocks_of_(graph.processes.size()),
          joined_(blocks.size()) {
        std::iota(joined_.begin(), joined_.end(), std::size_t{0});
        for (std::size_t b = 0; b < joined_.size(); ++b)
            blocks_of_[all_[b].family].push_back(b);
        for (auto& blocks : blocks_of_)
            std::sort(blocks.begin(), blocks.end(), [&](std::size_t one, std::size_t other) {
                return first_of(one) < first_of(other);
            });
    }

    /// The rank of each block. `together`: see RankShares.
    std::vector<unsigned> run(const std::vector<std::uint32_t>& first, unsigned ranks,
                              std::string& together) {
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
            if (graph_.processes[all_[b].family].observer)
                observes[root(b)] = true;
        for (const std::uint32_t family : first)
            for (const std::size_t block : blocks_of_[family])
                observes[root(block)] = true;
        // by the first block of each group of joined ones
        std::vector<std::size_t> groups;
        std::vector<double> costs(joined_.size());
        for (std::size_t b = 0; b < joined_.size(); ++b) {
            costs[root(b)] += all_[b].cost;
            if (root(b) == b)
                groups.push_back(b);
        }
        together = what_joins(costs, ranks);
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
    std::uint64_t first_of(std::size_t block) const { return all_[block].instances.first; }

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

    /// Says what makes a group too large to be shared evenly.
    std::string what_joins(const std::vector<double>& costs, unsigned ranks) {
        const auto heaviest = std::max_element(costs.begin(), costs.end());
        const double all = std::accumulate(costs.begin(), costs.end(), 0.0);
        const auto group = static_cast<std::size_t>(heaviest - costs.begin());
        if (costs.empty() || *heaviest < 1.2 * all / ranks || *heaviest <= all_[group].cost)
            return {};
        std::string through = "shared memories";
        for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
            for (const Port& port : graph_.processes[f].ports)
                for_each_bus(graph_, port.buses, [&](const Segment& run, const BusFamily& bus) {
                    if (bus.wire() && !port.output && !graph_.processes[f].observer &&
                        root(block_of(f, run.first)) == group)
                        through = fmt::format("wires (such as '{}')", bus.name);
                });
        return fmt::format("{:.0f} % of the work stays on one rank, as {} join these processes",
                           *heaviest / all * 100, through);
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
    const std::vector<Cut::Block>& all_;
    std::vector<std::vector<std::size_t>> blocks_of_; // by family, by first instance
    std::vector<std::size_t> joined_; // an earlier block on the same rank, or itself
};

} // namespace

RankShares RankShares::of(const Graph& graph, const Writers& writers, const Cut& cut,
                          const std::vector<std::uint32_t>& first, unsigned ranks) {
    const std::vector<Cut::Block> blocks = fine_blocks(cut, ranks);
    std::string together;
    const std::vector<unsigned> rank_of =
        Dealer{graph, writers, blocks}.run(first, ranks, together);
    std::vector<std::vector<Run>> runs(graph.processes.size());
    for (std::size_t b = 0; b < rank_of.size(); ++b)
        runs[blocks[b].family].push_back({blocks[b].instances.first, rank_of[b]});
    for (auto& of_family : runs)
        std::sort(of_family.begin(), of_family.end(),
                  [](const Run& one, const Run& other) { return one.first < other.first; });
    RankShares result{graph, std::move(runs), ranks};
    result.together_ = std::move(together);
    return result;
}

RankShares::RankShares(const Graph& graph, std::vector<std::vector<Run>> runs, unsigned ranks)
    : ranks_{ranks}, runs_{std::move(runs)}, work_(ranks) {
    for (auto& of_family : runs_)
        of_family.erase(
            std::unique(of_family.begin(), of_family.end(),
                        [](const Run& one, const Run& next) { return one.rank == next.rank; }),
            of_family.end());
    double all = 0;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        for_each_piece(f, {0, graph.processes[f].count}, [&](Range piece, unsigned rank) {
            const double cost = graph.processes[f].operations() * static_cast<double>(piece.count);
            work_[rank] += cost;
            all += cost;
        });
    for (double& work : work_)
        work /= std::max(all, 1.0);
}

std::string RankShares::violation(const Graph& graph, const Writers& writers,
                                  const std::vector<std::uint32_t>& first) const {
    std::string found;
    const auto apart = [&](std::uint32_t one, std::uint64_t k, std::uint32_t other, std::uint64_t j,
                           const std::string& why) {
        const unsigned a = owner(one, k).rank, b = owner(other, j).rank;
        if (a != b && found.empty())
            found = fmt::format("'{}' is on rank {} and '{}' on rank {}, but {}",
                                graph.processes[one].instance_name(k), a,
                                graph.processes[other].instance_name(j), b, why);
    };
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        for (const MemoryUse& use : family.looks_at)
            for_each_piece(f, {0, family.count}, [&](Range piece, unsigned) {
                apart(f, piece.first, use.family, use.instance, "one reads a memory of the other");
            });
        for_each_piece(f, {0, family.count}, [&](Range piece, unsigned rank) {
            const bool belongs_to_0 =
                family.observer || std::find(first.begin(), first.end(), f) != first.end();
            if (belongs_to_0 && rank != 0 && found.empty())
                found = fmt::format("'{}', which observes or is observed, is not on rank 0",
                                    family.instance_name(piece.first));
        });
        for (const Port& port : family.ports)
            if (!family.observer && !port.output)
                for_each_bus(graph, port.buses, [&](const Segment& run, const BusFamily& bus) {
                    for (std::uint64_t k = run.first; bus.wire() && k < run.end(); ++k) {
                        const auto element = static_cast<std::uint64_t>(run.at(k));
                        if (const Writers::Run* const writer = writers.find(element))
                            apart(f, k, writer->family,
                                  writer->instance + (element - writer->first),
                                  fmt::format("wire '{}' joins them", bus.name));
                    }
                });
    }
    return found;
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
        const std::size_t before = kept.size();
        shares.for_each_position(
            item.group, layout.orders[item.group], item.range, [&](Range range, unsigned owner) {
                if (owner != rank)
                    return;
                if (kept.size() > before &&
                    kept.back().range.first + kept.back().range.count == range.first)
                    kept.back().range.count += range.count;
                else {
                    kept.push_back(item);
                    kept.back().range = range;
                }
            });
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

void put_interior_last(Schedule& schedule, const Graph& graph,
                       const std::vector<std::vector<std::uint64_t>>& boundary) {
    std::vector<Item> first, interior, last;
    for (const Item& item : schedule.items) {
        if (item.level > schedule.last_step_level) {
            last.push_back(item);
            continue;
        }
        if (item.level < schedule.last_step_level || item.group >= graph.processes.size()) {
            first.push_back(item);
            continue;
        }
        const std::vector<std::uint64_t>& crossing = boundary[item.group];
        const std::uint64_t end = item.range.first + item.range.count;
        auto next = std::lower_bound(crossing.begin(), crossing.end(), item.range.first);
        for (std::uint64_t k = item.range.first; k < end;) {
            const bool crosses = next != crossing.end() && *next == k;
            std::uint64_t until = next == crossing.end() ? end : std::min(*next, end);
            if (crosses)
                for (until = k; next != crossing.end() && *next == until && until < end; ++next)
                    ++until;
            std::vector<Item>& to = crosses ? first : interior;
            to.push_back(item);
            to.back().range = {k, until - k};
            k = until;
        }
    }
    const std::size_t items = first.size() + interior.size() + last.size();
    if (interior.empty() || items > 2 * schedule.items.size() + 64)
        return;
    schedule.interior = first.size();
    schedule.items = std::move(first);
    for (const auto* const more : {&interior, &last})
        schedule.items.insert(schedule.items.end(), more->begin(), more->end());
}

} // namespace sme::engine
