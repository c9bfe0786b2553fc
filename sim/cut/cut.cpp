// SPDX-License-Identifier: Apache-2.0
//
// 1. Families are divided into blocks: a family with much of the work into up to 64, others stay
//    whole. 2. Blocks that exchange values become neighbours in a graph, with the bytes exchanged
//    as weights; a sample of instances represents a large block. 3. METIS halves this graph again
//    and again. The numbers of the parts give the order, as the two halves of a part have
//    neighbouring numbers.
#include "cut/cut.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "cut/bisection.hpp"

namespace sme {

namespace {

constexpr std::uint64_t most_blocks = 64;   // of a family
constexpr double blocks_of_all = 512;       // if all work is in one family
constexpr std::uint64_t sampled = 16;       // instances of a block
constexpr std::size_t vertices_in_part = 8; // fewer in each of two parts: source order
constexpr std::size_t most_parts = 16;
constexpr double wire_weight = 64;  // a wire that crosses delays a cycle
constexpr double memory_bytes = 64; // for a memory that another process reads

class LinkFinder {
public:
    LinkFinder(const Graph& graph, const Writers& writers, const std::vector<Cut::Block>& blocks)
        : graph_{graph}, writers_{writers}, blocks_{blocks}, first_(graph.processes.size() + 1) {
        for (const Cut::Block& block : blocks)
            ++first_[block.family + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
    }

    std::vector<Link> find() {
        for (std::uint32_t k = 0; k < blocks_.size(); ++k)
            add_block(k);
        return sum();
    }

private:
    /// Blocks are still in source order.
    std::uint32_t block_of(std::uint32_t family, std::uint64_t instance) const {
        const auto begin = blocks_.begin() + first_[family],
                   end = blocks_.begin() + first_[family + 1];
        const auto behind = std::upper_bound(begin, end, instance,
                                             [](std::uint64_t wanted, const Cut::Block& block) {
                                                 return wanted < block.instances.first;
                                             });
        return static_cast<std::uint32_t>(behind - blocks_.begin() - 1);
    }

    std::uint64_t count_of(std::uint32_t family) const { return graph_.processes[family].count; }

    void add_block(std::uint32_t number) {
        const Cut::Block& block = blocks_[number];
        const ProcessFamily& family = graph_.processes[block.family];
        const std::uint64_t count = block.instances.count;
        const std::uint64_t step = std::max<std::uint64_t>(count / sampled, 1);
        for (std::uint64_t k = 0; k < count; k += step) {
            const std::uint64_t instance = block.instances.first + k;
            for (const Port& port : family.ports)
                if (!port.output && !port.indexed)
                    add_read(number, static_cast<std::uint64_t>(port.buses.at(instance)), step);
            for (const MemoryUse& use : family.looks_at) {
                const bool is_own =
                    count_of(use.family) > 1 && count_of(use.family) == family.count;
                link(number, block_of(use.family, is_own ? instance : use.instance),
                     memory_bytes * wire_weight * static_cast<double>(step));
            }
        }
    }

    void add_read(std::uint32_t number, std::uint64_t element, std::uint64_t times) {
        const Writers::Run* const run = writers_.find(element);
        if (!run)
            return;
        const BusFamily& bus = graph_.family_of(element);
        const double bytes = static_cast<double>(bus.type->size() * times);
        link(number, block_of(run->family, run->instance + (element - run->first)),
             bus.wire() ? bytes * wire_weight : bytes);
    }

    void link(std::uint32_t a, std::uint32_t b, double weight) {
        if (a != b)
            links_.push_back({std::min(a, b), std::max(a, b), weight});
    }

    std::vector<Link> sum() {
        std::sort(links_.begin(), links_.end(), [](const Link& x, const Link& y) {
            return std::tie(x.a, x.b) < std::tie(y.a, y.b);
        });
        std::vector<Link> result;
        for (const Link& link : links_)
            if (!result.empty() && result.back().a == link.a && result.back().b == link.b)
                result.back().weight += link.weight;
            else
                result.push_back(link);
        return result;
    }

    const Graph& graph_;
    const Writers& writers_;
    const std::vector<Cut::Block>& blocks_;
    std::vector<std::ptrdiff_t> first_; // by family: its first block
    std::vector<Link> links_;
};

std::vector<Cut::Block> blocks_of(const Graph& graph) {
    double all = 0;
    for (const ProcessFamily& family : graph.processes)
        all += family.operations() * static_cast<double>(family.count);
    std::vector<Cut::Block> blocks;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        const double work = family.operations() * static_cast<double>(family.count);
        const auto wanted = static_cast<std::uint64_t>(work / std::max(all, 1.0) * blocks_of_all);
        const std::uint64_t count = std::clamp<std::uint64_t>(
            wanted, 1, std::min(most_blocks, std::max<std::uint64_t>(family.count, 1)));
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::uint64_t begin = family.count * k / count;
            const Range range{begin, family.count * (k + 1) / count - begin};
            blocks.push_back({f, range,
                              work * static_cast<double>(range.count) /
                                  static_cast<double>(std::max<std::uint64_t>(family.count, 1))});
        }
    }
    return blocks;
}

} // namespace

Cut Cut::of(const Graph& graph, const Writers& writers) {
    Cut cut;
    cut.blocks_ = blocks_of(graph);
    std::vector<Block>& blocks = cut.blocks_;
    std::vector<std::uint32_t> parts(blocks.size());
    std::size_t count = 1;
    while (count < most_parts && count * 2 * vertices_in_part <= blocks.size())
        count *= 2;
    if (has_metis() && count > 1)
        parts = bisect(cut.costs(), LinkFinder{graph, writers, blocks}.find(), count);
    std::vector<std::uint32_t> order(blocks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return parts[a] < parts[b]; });
    std::vector<Block> ordered;
    for (const std::uint32_t k : order)
        ordered.push_back(blocks[k]);
    blocks = std::move(ordered);
    cut.places_.resize(graph.processes.size());
    cut.index();
    return cut;
}

void Cut::index() {
    for (const Block& block : blocks_) {
        if (places_[block.family].empty())
            families_.push_back(block.family);
        places_[block.family].push_back({block.instances.first, work_});
        work_ += block.cost;
    }
    for (std::vector<Place>& of_family : places_)
        std::sort(of_family.begin(), of_family.end(),
                  [](const Place& a, const Place& b) { return a.first < b.first; });
}

std::vector<double> Cut::costs() const {
    std::vector<double> result;
    for (const Block& block : blocks_)
        result.push_back(block.cost);
    return result;
}

std::vector<unsigned> shares_of(const std::vector<double>& costs, unsigned count) {
    const double all = std::max(std::accumulate(costs.begin(), costs.end(), 0.0), 1.0);
    std::vector<unsigned> result;
    double before = 0;
    for (const double cost : costs) {
        const double middle = before + cost / 2;
        result.push_back(std::min(static_cast<unsigned>(middle * count / all), count - 1));
        before += cost;
    }
    return result;
}

double Cut::place(std::uint32_t family, std::uint64_t instance) const {
    const std::vector<Place>& of_family = places_[family];
    const auto behind = std::upper_bound(
        of_family.begin(), of_family.end(), instance,
        [](std::uint64_t wanted, const Place& place) { return wanted < place.first; });
    return std::prev(behind)->before / std::max(work_, 1.0);
}

} // namespace sme
