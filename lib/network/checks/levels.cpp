// SPDX-License-Identifier: Apache-2.0
//
// Levels are computed in two steps. First, the small graph of (family, part) pairs is sorted, with
// strongly connected sets together. A pair that is its own set, and whose instances all read wires
// of one level, gets one number. In the remaining sets, the instances themselves are traversed
// depth first.
#include "network/checks/levels.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme {

void PartLevels::set_each(std::vector<std::uint32_t> levels) {
    const bool same = std::all_of(levels.begin(), levels.end(),
                                  [&](std::uint32_t level) { return level == levels.front(); });
    if (same && !levels.empty())
        uniform_ = levels.front();
    else
        each_ = std::move(levels);
}

namespace {

struct PartNode {
    std::uint32_t family;
    std::uint32_t part;
};

/// An instance of a part.
struct Place {
    std::uint32_t node;
    std::uint64_t instance;
};

class Leveller {
public:
    Leveller(const Graph& graph, const Writers& writers, Diagnostics& diagnostics)
        : graph_{graph}, writers_{writers}, diagnostics_{diagnostics} {
        for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
            first_node_.push_back(static_cast<std::uint32_t>(nodes_.size()));
            for (std::uint32_t p = 0; p < graph.processes[f].parts.size(); ++p)
                nodes_.push_back({f, p});
        }
        level_.resize(nodes_.size());
        edges_.resize(nodes_.size());
    }

    Levels run() {
        find_edges();
        order();
        for (const std::vector<std::uint32_t>& set : sets_)
            if (set.size() > 1 || reads_itself(set[0]) || !settle_uniform(set[0]))
                walk(set);
        return collect();
    }

private:
    const Part& part(std::uint32_t node) const {
        return graph_.processes[nodes_[node].family].parts[nodes_[node].part];
    }
    const Port& port(std::uint32_t node, std::uint32_t index) const {
        return graph_.processes[nodes_[node].family].ports[index];
    }

    /// Calls visit(writer's node, its run, wire?) for the buses that a port use reads, run by run.
    template <class Visit>
    void for_each_writer(std::uint32_t node, const PortUse& use, Visit visit) const {
        for (const Segment& segment : port(node, use.port).buses.runs()) {
            const std::int64_t last = segment.at(segment.end() - 1);
            const auto low = static_cast<std::uint64_t>(std::min(segment.offset, last));
            const auto high = static_cast<std::uint64_t>(std::max(segment.offset, last));
            for (std::uint64_t element = low; element <= high;) {
                const Writers::Run* run = writers_.find(element);
                if (!run) {
                    visit(Writers::Run{element, 1, 0, 0, 0}, false);
                    ++element;
                    continue;
                }
                const BusFamily& bus = graph_.family_of(element);
                visit(*run, bus.wire());
                element = std::min(run->end(), bus.first + bus.count);
            }
        }
    }

    /// Calls visit(node) for the parts of a run's writer that write the fields of a use.
    template <class Visit>
    void for_each_part(const Writers::Run& run, std::uint64_t fields, Visit visit) const {
        const std::vector<Part>& parts = graph_.processes[run.family].parts;
        for (std::uint32_t p = 0; p < parts.size(); ++p)
            for (const PortUse& write : parts[p].writes)
                if (write.port == run.port && (write.fields & fields) != 0)
                    visit(first_node_[run.family] + p);
    }

    void find_edges() {
        for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
            for (const PortUse& use : part(n).reads)
                for_each_writer(n, use, [&](const Writers::Run& run, bool wire) {
                    if (wire)
                        for_each_part(run, use.fields,
                                      [&](std::uint32_t from) { edges_[n].push_back(from); });
                });
            if (part(n).shares_state)
                for (std::uint32_t before = first_node_[nodes_[n].family]; before < n; ++before)
                    edges_[n].push_back(before);
            std::sort(edges_[n].begin(), edges_[n].end());
            edges_[n].erase(std::unique(edges_[n].begin(), edges_[n].end()), edges_[n].end());
        }
    }

    bool reads_itself(std::uint32_t node) const {
        return std::binary_search(edges_[node].begin(), edges_[node].end(), node);
    }

    /// Tarjan's algorithm, without recursion: computes `sets_`, the strongly connected sets,
    /// writers before their readers.
    void order() {
        const auto count = static_cast<std::uint32_t>(nodes_.size());
        std::vector<std::uint32_t> number(count, 0), low(count, 0), stack;
        std::vector<bool> on_stack(count, false);
        std::uint32_t next = 1;
        struct Visit {
            std::uint32_t node;
            std::size_t edge;
        };
        std::vector<Visit> path;
        const auto enter = [&](std::uint32_t n) {
            number[n] = low[n] = next++;
            stack.push_back(n);
            on_stack[n] = true;
            path.push_back({n, 0});
        };
        for (std::uint32_t root = 0; root < count; ++root) {
            if (number[root] == 0)
                enter(root);
            while (!path.empty()) {
                const std::uint32_t n = path.back().node;
                if (path.back().edge < edges_[n].size()) {
                    const std::uint32_t to = edges_[n][path.back().edge++];
                    if (number[to] == 0)
                        enter(to);
                    else if (on_stack[to])
                        low[n] = std::min(low[n], number[to]);
                    continue;
                }
                path.pop_back();
                if (!path.empty())
                    low[path.back().node] = std::min(low[path.back().node], low[n]);
                if (low[n] == number[n])
                    close_set(n, stack, on_stack);
            }
        }
    }

    void close_set(std::uint32_t root, std::vector<std::uint32_t>& stack,
                   std::vector<bool>& on_stack) {
        std::vector<std::uint32_t>& set = sets_.emplace_back();
        do {
            set.push_back(stack.back());
            on_stack[stack.back()] = false;
            stack.pop_back();
        } while (set.back() != root);
    }

    /// Gives all instances of a node one level, if they have the same level.
    bool settle_uniform(std::uint32_t node) {
        std::uint32_t level = 0;
        bool uniform = true;
        if (part(node).shares_state) {
            for (std::uint32_t before = first_node_[nodes_[node].family]; before < node; ++before) {
                uniform = uniform && level_[before].is_uniform();
                level = std::max(level, level_[before].at(0) + 1);
            }
        }
        for (const PortUse& use : part(node).reads) {
            std::uint32_t lowest = ~std::uint32_t{0}, highest = 0;
            for_each_writer(node, use, [&](const Writers::Run& run, bool wire) {
                std::uint32_t here = 0;
                if (wire)
                    for_each_part(run, use.fields, [&](std::uint32_t from) {
                        uniform = uniform && level_[from].is_uniform();
                        here = std::max(here, level_[from].at(0) + 1);
                    });
                lowest = std::min(lowest, here);
                highest = std::max(highest, here);
            });
            uniform = uniform && lowest >= highest;
            level = std::max(level, highest);
        }
        if (uniform)
            level_[node].set_uniform(level);
        return uniform;
    }

    /// Calls visit(place) for every part that writes a wire read by `place`.
    template <class Visit> void for_each_source(Place place, Visit visit) const {
        if (part(place.node).shares_state)
            for (std::uint32_t before = first_node_[nodes_[place.node].family]; before < place.node;
                 ++before)
                visit(Place{before, place.instance});
        for (const PortUse& use : part(place.node).reads) {
            const auto element =
                static_cast<std::uint64_t>(port(place.node, use.port).buses.at(place.instance));
            const Writers::Run* run = writers_.find(element);
            if (run && graph_.family_of(element).wire())
                for_each_part(*run, use.fields, [&](std::uint32_t from) {
                    visit(Place{from, run->instance + (element - run->first)});
                });
        }
    }

    static constexpr std::uint32_t unknown = ~std::uint32_t{0};
    static constexpr std::uint32_t entered = unknown - 1;

    /// Computes the levels of the instances of a set of nodes, one by one.
    void walk(const std::vector<std::uint32_t>& set) {
        constexpr std::uint64_t most = 10'000'000; // about 60 bytes each
        std::uint64_t instances = 0;
        for (const std::uint32_t n : set)
            instances += graph_.processes[nodes_[n].family].count;
        if (instances > most) {
            const ProcessFamily& family = graph_.processes[nodes_[set[0]].family];
            diagnostics_.add(Code::network_too_large, family.declared,
                             fmt::format("'{}' is one of {} processes whose wires depend on each "
                                         "other, but such can be at most {}",
                                         family.instance_name(0), instances, most));
            return;
        }
        each_.assign(nodes_.size(), {});
        for (const std::uint32_t n : set)
            each_[n].assign(graph_.processes[nodes_[n].family].count, unknown);
        for (const std::uint32_t n : set)
            for (std::uint64_t k = 0; k < each_[n].size(); ++k)
                if (each_[n][k] == unknown)
                    descend({n, k});
        for (const std::uint32_t n : set)
            level_[n].set_each(std::move(each_[n]));
    }

    std::uint32_t known_level(Place place) const {
        return each_[place.node].empty() ? level_[place.node].at(place.instance)
                                         : each_[place.node][place.instance];
    }

    /// Traverses depth first from one place. Reports each loop found and then counts the places on
    /// its path as level 0, so that every other loop is found too.
    void descend(Place root) {
        std::vector<Place> path{root};
        each_[root.node][root.instance] = entered;
        while (!path.empty()) {
            const Place here = path.back();
            std::uint32_t level = 0;
            bool deeper = false;
            Place missing{};
            for_each_source(here, [&](Place from) {
                const std::uint32_t known = known_level(from);
                if (known >= entered && !deeper) {
                    deeper = true;
                    missing = from;
                } else if (known < entered)
                    level = std::max(level, known + 1);
            });
            if (!deeper) {
                each_[here.node][here.instance] = level;
                path.pop_back();
            } else if (known_level(missing) == entered) {
                if (diagnostics_.errors() <= Diagnostics::error_limit)
                    report_loop(path, missing);
                for (const Place place : path)
                    each_[place.node][place.instance] = 0;
                return;
            } else {
                each_[missing.node][missing.instance] = entered;
                path.push_back(missing);
            }
        }
    }

    /// Returns a wire that `from` writes and `to` reads.
    std::string wire_between(Place from, Place to) const {
        for (const PortUse& use : part(to.node).reads) {
            const auto element =
                static_cast<std::uint64_t>(port(to.node, use.port).buses.at(to.instance));
            const Writers::Run* run = writers_.find(element);
            if (!run || !graph_.family_of(element).wire() ||
                run->family != nodes_[from.node].family ||
                run->instance + (element - run->first) != from.instance)
                continue;
            bool writes = false;
            for_each_part(*run, use.fields,
                          [&](std::uint32_t node) { writes = writes || node == from.node; });
            if (writes)
                return graph_.bus_name(element);
        }
        return "?";
    }

    /// Reports a loop. `path` goes from readers to writers; its last place reads a wire that
    /// `again` writes.
    void report_loop(const std::vector<Place>& path, Place again) {
        const auto start = std::find_if(path.begin(), path.end(), [&](Place place) {
            return place.node == again.node && place.instance == again.instance;
        });
        std::vector<Place> loop{start, path.end()};
        std::reverse(loop.begin(), loop.end()); // now in data direction
        constexpr std::size_t max_names = 1000;
        std::string chain;
        for (std::size_t k = 0; k < loop.size(); ++k) {
            if (k == max_names) {
                chain += fmt::format("{} more -> ", loop.size() - k);
                break;
            }
            const Place from = loop[k];
            const Place to = loop[(k + 1) % loop.size()];
            chain += fmt::format("'{}' -> ", wire_between(from, to));
        }
        chain += fmt::format("'{}'", wire_between(loop[0], loop[1 % loop.size()]));
        const auto process = [&](Place place) -> const ProcessFamily& {
            return graph_.processes[nodes_[place.node].family];
        };
        Diagnostic& found = diagnostics_.add(
            Code::wire_loop, process(loop[0]).instance_location(loop[0].instance),
            fmt::format("wires form a loop: {}; make one of them a registered bus", chain));
        constexpr std::size_t max_notes = 16;
        for (std::size_t k = 0; k < std::min(loop.size(), max_notes); ++k) {
            const Place to = loop[(k + 1) % loop.size()];
            found.note(process(to).instance_location(to.instance),
                       fmt::format("'{}' reads '{}' in the cycle in which it is written",
                                   process(to).instance_name(to.instance),
                                   wire_between(loop[k], to)));
        }
    }

    Levels collect() {
        Levels levels;
        std::size_t n = 0;
        for (const ProcessFamily& family : graph_.processes) {
            std::vector<PartLevels>& parts = levels.parts.emplace_back();
            for (std::size_t p = 0; p < family.parts.size(); ++p, ++n) {
                for (std::uint64_t k = 0; k < (level_[n].is_uniform() ? 1 : family.count); ++k)
                    levels.count = std::max(levels.count, level_[n].at(k) + 1);
                parts.push_back(std::move(level_[n]));
            }
        }
        return levels;
    }

    const Graph& graph_;
    const Writers& writers_;
    Diagnostics& diagnostics_;
    std::vector<PartNode> nodes_;
    std::vector<std::uint32_t> first_node_;         // by family
    std::vector<PartLevels> level_;                 // by node
    std::vector<std::vector<std::uint32_t>> edges_; // node → nodes whose wires it reads
    std::vector<std::vector<std::uint32_t>> sets_;
    // During the walk: node → level of each instance.
    std::vector<std::vector<std::uint32_t>> each_;
};

} // namespace

Levels Levels::of(const Graph& graph, const Writers& writers, Diagnostics& diagnostics) {
    const bool wires = std::any_of(graph.buses.begin(), graph.buses.end(),
                                   [](const BusFamily& bus) { return bus.wire(); });
    if (wires)
        return Leveller{graph, writers, diagnostics}.run();
    Levels levels;
    for (const ProcessFamily& family : graph.processes)
        levels.parts.emplace_back(family.parts.size());
    return levels;
}

} // namespace sme
