// SPDX-License-Identifier: Apache-2.0
//
// From a placement to a plan: 1. the chunks of each thread become tasks; neighbours are joined; 2.
// levels become sections: cheap ones serial, those without a barrier between them joined; 3. each
// parallel section gets a queue.
#include "engine/placement/plan.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace sme::engine {

Plan Plan::sequential(const Schedule& schedule) {
    Plan plan;
    plan.sections.push_back({0, static_cast<std::uint32_t>(schedule.items.size()), nullptr});
    return plan;
}

double Plan::predicted_ns(double barrier_ns) const {
    double sum = 0;
    for (const Section& section : sections)
        sum += section.ns + (section.queue ? barrier_ns : 0);
    return sum;
}

std::string placement_problem(const Placement& placement, std::size_t chunks, unsigned threads) {
    if (placement.size() != threads)
        return fmt::format("it has lists for {} threads, but there are {}", placement.size(),
                           threads);
    std::vector<bool> seen(chunks, false);
    for (const auto& list : placement)
        for (const std::uint32_t chunk : list) {
            if (chunk >= chunks)
                return fmt::format("it places chunk {}, but there are only {}", chunk, chunks);
            if (seen[chunk])
                return fmt::format("it places chunk {} twice", chunk);
            seen[chunk] = true;
        }
    const auto lost = std::find(seen.begin(), seen.end(), false);
    if (lost != seen.end())
        return fmt::format("it places chunk {} on no thread", lost - seen.begin());
    return {};
}

namespace {

class PlanMaker {
public:
    PlanMaker(const Schedule& schedule, const ChunkTable& table, const Placement& placement,
              const PlanOptions& options)
        : schedule_{schedule},
          placement_{placement}, options_{options}, chunks_{table.chunks}, items_{table.items} {}

    Plan run() {
        plan_.threads = static_cast<unsigned>(placement_.size());
        find_levels();
        for (std::size_t k = 0; k < levels_.size();) {
            std::size_t end = k + 1;
            if (is_cheap(k)) {
                while (end < levels_.size() && is_cheap(end))
                    ++end;
                add_serial(k, end);
                k = end;
                continue;
            }
            while (options_.queue == QueueKind::fixed && end < levels_.size() && !is_cheap(end) &&
                   options_.joined && options_.joined(levels_[end].level, levels_[k].level))
                ++end;
            add_parallel(k, end);
            k = end;
        }
        return std::move(plan_);
    }

private:
    struct Level {
        std::uint32_t level, first_item, end_item;
        std::size_t first_chunk, end_chunk;
        double ns;
    };

    void find_levels() {
        std::size_t chunk = 0;
        for (std::uint32_t k = 0; k < schedule_.items.size(); ++k) {
            const std::uint32_t level = schedule_.items[k].level;
            if (levels_.empty() || levels_.back().level != level)
                levels_.push_back({level, k, k, chunk, chunk, 0});
            Level& last = levels_.back();
            last.end_item = k + 1;
            for (; chunk < chunks_.size() && items_[chunk] == k; ++chunk)
                last.ns += chunks_[chunk].cost_ns;
            last.end_chunk = chunk;
        }
    }

    bool may_split(std::size_t k) const {
        return levels_[k].end_chunk - levels_[k].first_chunk > 1;
    }
    bool is_cheap(std::size_t k) const {
        return !may_split(k) || levels_[k].ns <= options_.cheap_level_ns;
    }

    void add_serial(std::size_t begin, std::size_t end) {
        double ns = 0;
        for (std::size_t k = begin; k < end; ++k)
            ns += levels_[k].ns;
        plan_.sections.push_back(
            {levels_[begin].first_item, levels_[end - 1].end_item, nullptr, ns});
    }

    void add_parallel(std::size_t begin, std::size_t end) {
        const Level first = levels_[begin], last = levels_[end - 1];
        TaskLists lists(placement_.size());
        for (std::size_t t = 0; t < placement_.size(); ++t) {
            std::vector<std::uint32_t> mine;
            for (const std::uint32_t chunk : placement_[t])
                if (chunk >= first.first_chunk && chunk < last.end_chunk)
                    mine.push_back(chunk);
            if (options_.queue == QueueKind::fixed)
                std::sort(mine.begin(), mine.end());
            for (const std::uint32_t chunk : mine)
                append(chunk, lists[t]);
            if (options_.queue == QueueKind::fixed && options_.fused)
                mark_fused(lists[t]);
        }
        const double ns = longest(lists);
        plan_.sections.push_back({first.first_item, last.end_item,
                                  make_queue(options_.queue, lists, options_.grain), ns});
    }

    /// Finds the fused items that a list holds whole and in order.
    void mark_fused(std::vector<Task>& list) const {
        std::size_t k = 0;
        for (const FusedItems& fused : *options_.fused) {
            while (k < list.size() && list[k].item < fused.first_item)
                ++k;
            std::uint32_t item = fused.first_item;
            std::size_t end = k;
            while (end < list.size() && item < fused.end_item && list[end].item == item &&
                   is_whole(list[end]))
                ++end, ++item;
            if (item == fused.end_item && end > k)
                list[k].fused_end = fused.end_item;
        }
    }
    bool is_whole(const Task& task) const {
        const Range& all = schedule_.items[task.item].range;
        return task.range.first == all.first && task.range.count == all.count;
    }

    /// The time that the threads take for their lists; queues other than fixed ones balance them.
    double longest(const TaskLists& lists) const {
        double most = 0, sum = 0;
        for (const std::vector<Task>& list : lists) {
            const double load = cost_of(list);
            most = std::max(most, load);
            sum += load;
        }
        return options_.queue == QueueKind::fixed ? most : sum / static_cast<double>(lists.size());
    }

    void append(std::uint32_t chunk, std::vector<Task>& list) const {
        const Chunk& each = chunks_[chunk];
        const std::uint32_t item = items_[chunk];
        if (!list.empty() && list.back().item == item &&
            list.back().range.first + list.back().range.count == each.first) {
            list.back().range.count += each.count;
            list.back().cost_ns += each.cost_ns;
        } else
            list.push_back({item, {each.first, each.count}, each.cost_ns, 0});
    }

    const Schedule& schedule_;
    const Placement& placement_;
    const PlanOptions& options_;
    const std::vector<Chunk>& chunks_;
    const std::vector<std::uint32_t>& items_;
    std::vector<Level> levels_;
    Plan plan_;
};

} // namespace

Plan make_plan(const Schedule& schedule, const ChunkTable& table, const Placement& placement,
               const PlanOptions& options) {
    return PlanMaker{schedule, table, placement, options}.run();
}

namespace {

/// The thread of each chunk.
std::vector<std::uint32_t> threads_of(const Placement& placement, std::size_t chunks) {
    std::vector<std::uint32_t> result(chunks);
    for (std::uint32_t t = 0; t < placement.size(); ++t)
        for (const std::uint32_t chunk : placement[t])
            result[chunk] = t;
    return result;
}

} // namespace

void join_fused(const Schedule& schedule, const ChunkTable& table,
                const std::vector<FusedItems>& fused, Placement& placement) {
    std::vector<std::uint32_t> thread_of = threads_of(placement, table.chunks.size());
    std::size_t begin = 0;
    for (const FusedItems& items : fused) {
        while (begin < table.items.size() && table.items[begin] < items.first_item)
            ++begin;
        std::size_t end = begin;
        std::vector<double> loads(placement.size());
        bool whole = true;
        for (; end < table.items.size() && table.items[end] < items.end_item; ++end) {
            whole =
                whole && table.chunks[end].count == schedule.items[table.items[end]].range.count;
            loads[thread_of[end]] += table.chunks[end].cost_ns;
        }
        const auto busiest = std::max_element(loads.begin(), loads.end());
        if (whole)
            std::fill(thread_of.begin() + static_cast<std::ptrdiff_t>(begin),
                      thread_of.begin() + static_cast<std::ptrdiff_t>(end),
                      static_cast<std::uint32_t>(busiest - loads.begin()));
        begin = end;
    }
    for (auto& list : placement)
        list.clear();
    for (std::uint32_t chunk = 0; chunk < thread_of.size(); ++chunk)
        placement[thread_of[chunk]].push_back(chunk);
}

namespace {

/// Looks up instances by their position.
class Places {
public:
    Places(const Layout& layout, std::span<const Chunk> chunks) : layout_{layout}, chunks_{chunks} {
        for (std::uint32_t k = 0; k < chunks.size(); ++k)
            firsts_[{chunks[k].group, chunks[k].part}].emplace_back(chunks[k].first, k);
        for (auto& [part, list] : firsts_)
            std::sort(list.begin(), list.end());
    }

    /// The chunk that holds an instance of one part; absent if another rank has it.
    std::optional<std::uint32_t> chunk_of(std::uint32_t family, std::uint32_t part,
                                          std::uint64_t instance) {
        const auto list = firsts_.find({family, part});
        if (list == firsts_.end())
            return std::nullopt;
        const std::uint64_t position = position_of(family, instance);
        const auto next = std::upper_bound(list->second.begin(), list->second.end(),
                                           std::pair{position, ~std::uint32_t{0}});
        if (next == list->second.begin())
            return std::nullopt;
        const std::uint32_t found = std::prev(next)->second;
        const bool holds = position - chunks_[found].first < chunks_[found].count;
        return holds ? std::optional{found} : std::nullopt;
    }

private:
    std::uint64_t position_of(std::uint32_t family, std::uint64_t instance) {
        const Segments& order = layout_.orders[family];
        const auto [found, fresh] = inverse_.try_emplace(family);
        if (fresh && !order.is_identity()) {
            found->second.resize(order.size());
            for (std::uint64_t p = 0; p < order.size(); ++p)
                found->second[static_cast<std::size_t>(order.at(p))] = p;
        }
        return found->second.empty() ? instance : found->second[instance];
    }

    const Layout& layout_;
    std::span<const Chunk> chunks_;
    std::map<std::pair<std::uint32_t, std::uint32_t>,
             std::vector<std::pair<std::uint64_t, std::uint32_t>>>
        firsts_;
    std::map<std::uint32_t, std::vector<std::uint64_t>> inverse_;
};

bool writes(const Part& part, const Writers::Run& run, std::uint64_t fields) {
    return std::any_of(part.writes.begin(), part.writes.end(), [&](const PortUse& use) {
        return use.port == run.port && (use.fields & fields) != 0;
    });
}

} // namespace

ChunkDependencies::ChunkDependencies(const Graph& graph, const Layout& layout,
                                     const Analysis& analysis, const Schedule& schedule)
    : graph_{graph}, layout_{layout}, analysis_{analysis}, schedule_{schedule} {}

/// Calls visit(element, family, part, instance) for the parts that write the inputs of a chunk, for
/// every `step`th of its instances, until a call returns false. True if no call returned false.
template <class Visit>
bool ChunkDependencies::for_each_writer(const Chunk& chunk, std::uint64_t step, Visit visit) const {
    const ProcessFamily& family = graph_.processes[chunk.group];
    for (const PortUse& use : family.parts[chunk.part].reads)
        for (std::uint64_t p = chunk.first; p < chunk.first + chunk.count; p += step) {
            const auto instance = static_cast<std::uint64_t>(layout_.orders[chunk.group].at(p));
            const auto element =
                static_cast<std::uint64_t>(family.ports[use.port].buses.at(instance));
            const Writers::Run* run = analysis_.writers.find(element);
            if (!run)
                continue;
            const std::vector<Part>& parts = graph_.processes[run->family].parts;
            for (std::uint32_t part = 0; part < parts.size(); ++part)
                if (writes(parts[part], *run, use.fields) &&
                    !visit(element, run->family, part, run->instance + (element - run->first)))
                    return false;
        }
    return true;
}

std::vector<ChunkLink> ChunkDependencies::between(std::span<const Chunk> chunks) const {
    constexpr std::uint64_t sample = 16; // instances checked per chunk
    Places places{layout_, chunks};
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> found;
    for (std::uint32_t k = 0; k < chunks.size(); ++k) {
        const Chunk& chunk = chunks[k];
        if (chunk.group >= graph_.processes.size()) // delays, inputs and observers
            continue;
        const std::uint64_t step = std::max<std::uint64_t>(chunk.count / sample, 1);
        for_each_writer(
            chunk, step,
            [&](std::uint64_t, std::uint32_t family, std::uint32_t part, std::uint64_t instance) {
                const auto writer = places.chunk_of(family, part, instance);
                if (writer && *writer != k)
                    found[{std::min(k, *writer), std::max(k, *writer)}] +=
                        static_cast<double>(step);
                return true;
            });
    }
    std::vector<ChunkLink> links;
    for (const auto& [pair, weight] : found)
        links.push_back({pair.first, pair.second, weight});
    return links;
}

/// True if no item in these levels must notify all threads: no observer, commit or possible fault
/// before the last level.
bool ChunkDependencies::is_quiet(std::uint32_t since, std::uint32_t level) const {
    return std::none_of(schedule_.items.begin(), schedule_.items.end(), [&](const Item& item) {
        if (item.level < since || item.level > level)
            return false;
        const bool process = item.group < graph_.processes.size();
        return item.always || (item.level < level && process &&
                               graph_.processes[item.group].parts[item.part].may_fault);
    });
}

bool ChunkDependencies::joined(std::uint32_t level, std::uint32_t since,
                               std::span<const Chunk> chunks, const Placement& placement) const {
    constexpr std::uint64_t max_reads = 1'000'000;
    if (!is_quiet(since, level))
        return false;
    const std::vector<std::uint32_t> thread_of = threads_of(placement, chunks.size());
    Places places{layout_, chunks};
    std::uint64_t reads = 0;
    for (std::uint32_t k = 0; k < chunks.size(); ++k) {
        const Chunk& chunk = chunks[k];
        if (chunk.level != level || chunk.group >= graph_.processes.size())
            continue;
        if (graph_.processes[chunk.group].parts[chunk.part].shares_state)
            return false;
        const auto stays = [&](std::uint64_t element, std::uint32_t family, std::uint32_t part,
                               std::uint64_t instance) {
            if (!graph_.family_of(element).wire())
                return true;
            if (++reads > max_reads)
                return false;
            if (analysis_.levels.parts[family][part].at(instance) < since)
                return true;
            const auto writer = places.chunk_of(family, part, instance);
            return !writer || thread_of[*writer] == thread_of[k];
        };
        if (!for_each_writer(chunk, 1, stays))
            return false;
    }
    return true;
}

} // namespace sme::engine
