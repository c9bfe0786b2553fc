// SPDX-License-Identifier: Apache-2.0
#include "network/checks/connections.hpp"

#include <algorithm>
#include <unordered_map>

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

bool Writers::any(std::uint64_t first, std::uint64_t count) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), first + count - 1,
                         [](std::uint64_t e, const Run& run) { return e < run.first; });
    return after != runs_.begin() && std::prev(after)->end() > first;
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

// 1. Folds: names without their indices → nodes and folded buses
// 2. Connections: each run of a reader's binding is split where the writer's run, the writer's node
// or the family of buses ends; each piece connects two nodes

namespace {

class Folder {
public:
    explicit Folder(std::vector<FoldedName>& names) : names_{names} {}

    /// Returns the number of the fold. Names with different `more` are not folded.
    std::size_t add(const FoldedName& name, const std::string& more) {
        const auto [at, fresh] = known_.try_emplace(name.pattern() + more, names_.size());
        if (fresh)
            names_.push_back(name);
        else
            names_[at->second].add(name);
        return at->second;
    }

private:
    std::vector<FoldedName>& names_;
    std::unordered_map<std::string, std::size_t> known_;
};

FoldedName run_name(const ProcessFamily::NameRun& run, std::uint64_t count) {
    if (!run.indexed)
        return FoldedName{run.text};
    Shape shape;
    shape.dimensions.push_back({static_cast<std::int64_t>(run.index), count, {}});
    return FoldedName{run.text, shape};
}

} // namespace

Folds::Folds(const Graph& graph) : spans(graph.processes.size()) {
    Folder nodes{processes};
    for (std::size_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        const std::string role = family.observer ? "\n1" : family.helper ? "\n2" : "";
        const auto add = [&](const FoldedName& name, std::uint64_t first, std::uint64_t count) {
            const std::size_t node = nodes.add(name, role);
            looks_on.resize(processes.size(), family.observer);
            spans[f].push_back({first, count, node, name.has_one_index() ? name.low() : 0});
        };
        if (family.names.empty())
            add(FoldedName{family.name, family.shape}, 0, family.count);
        for (std::size_t k = 0; k < family.names.size(); ++k) {
            const std::uint64_t first = family.names[k].first;
            const bool last = k + 1 == family.names.size();
            const std::uint64_t count = (last ? family.count : family.names[k + 1].first) - first;
            add(run_name(family.names[k], count), first, count);
        }
    }
    Folder folded{buses};
    for (const BusFamily& bus : graph.buses)
        bus_of.push_back(
            folded.add(FoldedName{bus.name, bus.shape},
                       fmt::format("\n{} {} {} {}", bus.type->name(), bus.delay,
                                   static_cast<int>(bus.unwritten), bus.state ? 1 : 0)));
}

const FoldedSpan& Folds::span(std::size_t family, std::uint64_t instance) const {
    const std::vector<FoldedSpan>& of = spans[family];
    const auto after =
        std::upper_bound(of.begin(), of.end(), instance,
                         [](std::uint64_t i, const FoldedSpan& one) { return i < one.first; });
    return *std::prev(after);
}

std::optional<std::int64_t> Connection::step() const {
    return mixed_ ? std::nullopt : step_;
}

void Connection::add_step(std::optional<std::int64_t> step) {
    mixed_ = mixed_ || !step || (any_ && step != step_);
    any_ = true;
    step_ = step;
}

namespace {

/// A run of a port's binding, inverted where possible: element → instance.
struct ReadRun {
    std::uint64_t family;
    std::uint32_t port;
    const FoldedSpan* span;
    Segment run;

    std::int64_t distance() const { return run.stride < 0 ? -run.stride : run.stride; }
    std::uint64_t low() const {
        return static_cast<std::uint64_t>(std::min(run.offset, run.at(run.end() - 1)));
    }
    std::uint64_t high() const {
        return static_cast<std::uint64_t>(std::max(run.offset, run.at(run.end() - 1)));
    }
    /// Returns the lowest element read, from `element` on; a value above high() if there are no
    /// more.
    std::uint64_t next(std::uint64_t element) const {
        if (element <= low())
            return low();
        if (run.stride == 0)
            return high() + 1;
        const auto step = static_cast<std::uint64_t>(distance());
        return low() + (element - low() + step - 1) / step * step;
    }
};

class Joiner {
public:
    Joiner(const Graph& graph, const Writers& writers, const Folds& folds, Connections& result)
        : graph_{graph}, writers_{writers}, folds_{folds}, made_{result} {}

    void join(const ReadRun& read) {
        const std::vector<Writers::Run>& runs = writers_.runs();
        const std::uint64_t high = read.high();
        for (std::uint64_t at = read.low(); at <= high;) {
            const BusFamily& bus = graph_.family_of(at);
            std::uint64_t end = std::min(bus.first + bus.count, high + 1);
            const auto writer = std::upper_bound(
                runs.begin(), runs.end(), at,
                [](std::uint64_t e, const Writers::Run& r) { return e < r.end(); });
            // Written by the user of the simulator.
            if (writer == runs.end() || writer->first > at) {
                if (writer != runs.end())
                    end = std::min(end, writer->first);
                add(bus, -1, read, std::nullopt);
            } else {
                const std::uint64_t instance = writer->instance + (at - writer->first);
                const FoldedSpan& span = folds_.span(writer->family, instance);
                end = std::min({end, writer->end(), at + (span.end() - instance)});
                const bool one = read.next(at + 1) >= end;
                add(bus, static_cast<std::int64_t>(span.node), read,
                    step(read, at, span, instance, one));
            }
            at = read.next(end);
        }
    }

private:
    std::optional<std::int64_t> step(const ReadRun& read, std::uint64_t element,
                                     const FoldedSpan& span, std::uint64_t instance,
                                     bool one) const {
        const FoldedName& from = folds_.processes[span.node];
        const FoldedName& to = folds_.processes[read.span->node];
        const bool alike =
            read.run.stride == 1 || (one && read.run.stride != 0) || (read.run.count == 1);
        if (!alike || !from.has_one_index() || !to.has_one_index())
            return std::nullopt;
        const std::int64_t places =
            read.run.stride == 0
                ? 0
                : (static_cast<std::int64_t>(element) - read.run.offset) / read.run.stride;
        const std::int64_t reader = read.span->index +
                                    static_cast<std::int64_t>(read.run.first - read.span->first) +
                                    places;
        const std::int64_t writer = span.index + static_cast<std::int64_t>(instance - span.first);
        std::int64_t result = reader - writer;
        // Indices in a ring wrap around.
        if (span.node == read.span->node && from.is_whole_range()) {
            const auto count = static_cast<std::int64_t>(from.count());
            result = (result % count + count) % count;
            if (result > count / 2)
                result -= count;
        }
        return result;
    }

    void add(const BusFamily& bus, std::int64_t writer, const ReadRun& read,
             std::optional<std::int64_t> step) {
        const auto family = static_cast<std::size_t>(&bus - graph_.buses.data());
        const std::size_t folded = folds_.bus_of[family];
        made_.of_bus[folded][{writer, read.span->node}].add_step(step);
        PortCount& count = counts_[{folded, read.span->node}];
        if (count.family != read.family || count.first != read.span->first)
            count = {read.family, read.span->first, read.port, 1};
        else if (count.port != read.port) {
            count.port = read.port;
            ++count.ports;
        }
        std::uint64_t& most = made_.each[folded][read.span->node];
        most = std::max(most, count.ports);
    }

    struct PortCount {
        std::uint64_t family = ~std::uint64_t{0};
        std::uint64_t first = 0; // of the span
        std::uint32_t port = 0;
        std::uint64_t ports = 0;
    };

    const Graph& graph_;
    const Writers& writers_;
    const Folds& folds_;
    Connections& made_;
    std::map<std::pair<std::size_t, std::size_t>, PortCount> counts_;
};

/// Calls visit(port number, span, run) for the bindings of all ports that `wanted` selects.
template <class Wanted, class Visit>
void for_each_binding(const ProcessFamily& family, const std::vector<FoldedSpan>& spans,
                      Wanted wanted, Visit visit) {
    for (const FoldedSpan& span : spans)
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            if (wanted(family.ports[p]))
                for_each_run(family.ports[p].buses, span.first, span.count,
                             [&](const Segment& run) { visit(p, span, run); });
}

} // namespace

Connections Connections::of(const Graph& graph, const Writers& writers, const Folds& folds) {
    Connections result;
    result.of_bus.resize(folds.buses.size());
    result.each.resize(folds.buses.size());
    result.writers.resize(folds.buses.size());
    Joiner joiner{graph, writers, folds, result};
    for (std::size_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        for_each_binding(
            family, folds.spans[f],
            [&](const Port& port) { return !port.output && (!port.own || family.observer); },
            [&](std::uint32_t port, const FoldedSpan& span, const Segment& run) {
                joiner.join({f, port, &span, run});
            });
    }
    for (const Writers::Run& run : writers.runs())
        for (std::uint64_t e = run.first; e < run.end();) {
            const BusFamily& bus = graph.family_of(e);
            const std::uint64_t instance = run.instance + (e - run.first);
            const FoldedSpan& span = folds.span(run.family, instance);
            std::vector<std::size_t>& known =
                result.writers[folds.bus_of[static_cast<std::size_t>(&bus - graph.buses.data())]];
            if (std::find(known.begin(), known.end(), span.node) == known.end())
                known.push_back(span.node);
            e = std::min({run.end(), bus.first + bus.count, e + (span.end() - instance)});
        }
    return result;
}

} // namespace sme
