// SPDX-License-Identifier: Apache-2.0
#include "engine/placement/chunk_dependencies.hpp"

#include <algorithm>
#include <map>

namespace sme::engine {

namespace {

/// Looks up instances by their position.
class Places {
public:
    Places(const Layout& layout, std::span<const Chunk> chunks) : layout_{layout} {
        for (std::uint32_t k = 0; k < chunks.size(); ++k)
            firsts_[{chunks[k].group, chunks[k].part}].emplace_back(chunks[k].first, k);
        for (auto& [part, list] : firsts_)
            std::sort(list.begin(), list.end());
    }

    /// The chunk that holds an instance of one part.
    std::uint32_t chunk_of(std::uint32_t family, std::uint32_t part, std::uint64_t instance) {
        const auto& list = firsts_.at({family, part});
        const std::pair<std::uint64_t, std::uint32_t> key{position_of(family, instance),
                                                          ~std::uint32_t{0}};
        return std::prev(std::upper_bound(list.begin(), list.end(), key))->second;
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
                const std::uint32_t writer = places.chunk_of(family, part, instance);
                if (writer != k)
                    found[{std::min(k, writer), std::max(k, writer)}] += static_cast<double>(step);
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
    std::vector<std::uint32_t> thread_of(chunks.size());
    for (std::uint32_t t = 0; t < placement.size(); ++t)
        for (const std::uint32_t chunk : placement[t])
            thread_of[chunk] = t;
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
            return ++reads <= max_reads &&
                   (analysis_.levels.parts[family][part].at(instance) < since ||
                    thread_of[places.chunk_of(family, part, instance)] == thread_of[k]);
        };
        if (!for_each_writer(chunk, 1, stays))
            return false;
    }
    return true;
}

} // namespace sme::engine
