// SPDX-License-Identifier: Apache-2.0
#include "orders/orders.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "bits/scalar_text.hpp"
#include "engine/threads/cpus.hpp"
#include "runtime/clock.hpp"
#include "session/run/run.hpp"

namespace sme::orders {

void SlotTape::open(const Observed& observed) {
    const Graph& graph = observed.graph();
    for (std::size_t b = 0; b < graph.buses.size(); ++b) {
        const BusFamily& bus = graph.buses[b];
        for (const Segment& run : observed.slots(b).runs()) {
            runs_.push_back({bus.first + run.first, run.count, run.offset, run.stride,
                             bus.type->size(), bus.wire(), row_bytes_});
            row_bytes_ += run.count * bus.type->size();
        }
    }
}

void SlotTape::begin(std::uint64_t cycle) {
    rows_ = 0;
    rows_kept_.clear();
    first_cycle_ = cycle;
}

void SlotTape::step(unsigned, Range, const Frame& frame) {
    rows_kept_.resize((rows_ + 1) * row_bytes_);
    std::byte* const row = rows_kept_.data() + rows_ * row_bytes_;
    ++rows_;
    for (const Run& run : runs_) {
        if (run.wire && !frame.wires_settled)
            continue;
        const std::byte* const slots = frame.read + run.offset;
        if (run.stride == static_cast<std::int64_t>(run.bytes))
            std::memcpy(row + run.at, slots, run.count * run.bytes);
        else
            for (std::uint64_t k = 0; k < run.count; ++k)
                std::memcpy(row + run.at + k * run.bytes,
                            slots + static_cast<std::int64_t>(k) * run.stride, run.bytes);
    }
}

std::optional<SlotTape::Place> SlotTape::first_difference(const SlotTape& other) const {
    const std::size_t rows = std::min(rows_, other.rows_);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::byte* const mine = rows_kept_.data() + row * row_bytes_;
        const std::byte* const theirs = other.rows_kept_.data() + row * row_bytes_;
        if (std::memcmp(mine, theirs, row_bytes_) == 0)
            continue;
        for (const Run& run : runs_)
            for (std::uint64_t k = 0; k < run.count; ++k) {
                const std::size_t at = run.at + k * run.bytes;
                if (std::memcmp(mine + at, theirs + at, run.bytes) != 0)
                    return Place{first_cycle_ + row, run.element + k};
            }
    }
    return std::nullopt;
}

const std::byte* SlotTape::value(const Place& place) const {
    const auto after = std::upper_bound(
        runs_.begin(), runs_.end(), place.element,
        [](std::uint64_t element, const Run& run) { return element < run.element; });
    const Run& run = *std::prev(after);
    return rows_kept_.data() + (place.cycle - first_cycle_) * row_bytes_ + run.at +
           (place.element - run.element) * run.bytes;
}

} // namespace sme::orders

namespace sme::orders {

namespace {

/// More threads than CPUs would mostly wait for each other.
constexpr unsigned max_threads_unasked = 3;

/// Removes checks and recordings, which belong to a single run and change nothing.
Graph without_observers(const Graph& graph) {
    Graph result = graph;
    std::erase_if(result.processes, [](const ProcessFamily& family) { return family.observer; });
    return result;
}

/// A run of the network with recorded values.
class Side {
public:
    Side(const Graph& graph, const Analysis& analysis, const SimulatorOptions& options) {
        engine::Options result;
        result.run = options;
        Diagnostics diagnostics;
        run_ = std::make_unique<session::Run>(graph, analysis, result, diagnostics);
        if (!run_->ok())
            throw NetworkError{render(diagnostics)};
        engine().attach(tape_);
    }

    void run(std::uint64_t cycles) {
        tape_.begin(engine().cycle());
        engine().run(cycles);
    }
    engine::Engine& engine() { return run_->engine(); }
    const SlotTape& tape() const { return tape_; }

    /// The kind of ending, as a text that is equal for equal endings.
    std::string ending() const {
        const session::Outcome outcome = run_->outcome();
        if (!outcome.has_faulted())
            return outcome.end == RunEnd::halted ? "a halt" : "no end";
        std::string text;
        for (const Diagnostic& fault : outcome.faults)
            text += (text.empty() ? "" : "\n") + fault.message;
        return text;
    }

private:
    SlotTape tape_; // outlives the engine
    std::unique_ptr<session::Run> run_;
};

std::string writer_of(const Graph& graph, const Analysis& analysis, std::uint64_t element) {
    const Writers::Run* const run = analysis.writers.find(element);
    if (!run)
        return {};
    return graph.processes[run->family].instance_name(run->instance + element - run->first);
}

class Comparison {
public:
    Comparison(const Graph& graph, const Wishes& wishes)
        : graph_{without_observers(graph)}, wishes_{wishes},
          threads_{wishes.threads > 0 ? wishes.threads
                                      : std::min(max_threads_unasked, engine::usable_cpus())} {
        Diagnostics diagnostics;
        analysis_ = analyse(graph_, diagnostics);
        if (!analysis_)
            throw NetworkError{render(diagnostics)};
    }

    Report run() {
        for (const BusFamily& bus : graph_.buses)
            report_.buses += bus.state ? 0 : bus.count;
        while (report_.orders < wishes_.orders && !report_.difference && !interrupted())
            run_order();
        return std::move(report_);
    }

private:
    bool interrupted() const { return wishes_.interrupt && wishes_.interrupt->load(); }

    void run_order() {
        SimulatorOptions straight;
        straight.threads = 1;
        straight.seed = wishes_.seed;
        const SimulatorOptions other = order_of(report_.orders, wishes_.seed, threads_);
        report_.threads = std::max(report_.threads, other.threads);
        Side first{graph_, *analysis_, straight};
        Side second{graph_, *analysis_, other};
        constexpr std::size_t tape_bytes = std::size_t{32} << 20;
        const std::size_t each = std::max<std::size_t>(first.tape().row_bytes(), 1);
        const std::uint64_t slice = std::clamp<std::uint64_t>(tape_bytes / each, 1, 4096);
        while (first.engine().cycle() < wishes_.cycles && !interrupted()) {
            const std::uint64_t wanted = std::min(slice, wishes_.cycles - first.engine().cycle());
            first.run(wanted);
            second.run(wanted);
            if (wishes_.progress)
                wishes_.progress(report_.orders, first.engine().cycle());
            if (const auto place = first.tape().first_difference(second.tape()))
                return differ(*place, first, second, other.threads);
            if (first.engine().cycle() != second.engine().cycle() ||
                first.ending() != second.ending())
                return end_differently(first, second, other.threads);
            if (first.engine().ending() != RunEnd::completed)
                break;
        }
        report_.cycles = first.engine().cycle();
        ++report_.orders;
    }

    void differ(const SlotTape::Place& place, const Side& first, const Side& second,
                unsigned threads) {
        const Type& type = *graph_.family_of(place.element).type;
        const std::byte* const one = first.tape().value(place);
        const std::byte* const other = second.tape().value(place);
        OrderDifference found;
        found.cycle = place.cycle;
        found.bus = graph_.bus_name(place.element);
        found.process = writer_of(graph_, *analysis_, place.element);
        found.first = value_text(type, one, other);
        found.second = value_text(type, other, one);
        const std::string writer =
            found.process.empty() ? "" : fmt::format(", which process '{}' writes,", found.process);
        found.text = fmt::format("in cycle {}, bus '{}'{} is {}, but {} when the processes run in "
                                 "another order: they share something",
                                 found.cycle, found.bus, writer, found.first, found.second);
        keep(std::move(found), threads);
    }

    void end_differently(Side& first, Side& second, unsigned threads) {
        OrderDifference found;
        found.cycle = std::min(first.engine().cycle(), second.engine().cycle());
        found.first = first.ending();
        found.second = second.ending();
        found.text =
            fmt::format("after {} cycles the run ends with {}, but after {} with {} when "
                        "the processes run in another order: they share something",
                        first.engine().cycle(), found.first, second.engine().cycle(), found.second);
        keep(std::move(found), threads);
    }

    void keep(OrderDifference found, unsigned threads) {
        found.order = report_.orders;
        found.threads = threads;
        report_.difference = std::move(found);
    }

    const Graph graph_;
    const Wishes wishes_;
    const unsigned threads_;
    std::optional<Analysis> analysis_;
    Report report_;
};

} // namespace

SimulatorOptions order_of(unsigned order, std::uint64_t seed, unsigned threads) {
    SimulatorOptions options;
    options.threads = 1 + order % threads;
    options.queue = all_queues[order / threads % all_queues.size()];
    options.serial_levels = false; // cheap levels also run on all threads
    options.seed = seed;
    options.shuffle = seed * 1'000'003 + order;
    return options;
}

Report compare(const Graph& graph, const Wishes& wishes) {
    return Comparison{graph, wishes}.run();
}

} // namespace sme::orders

namespace sme {

std::optional<OrderDifference> compare_orders(const Network& network, Cycles cycles,
                                              unsigned orders, std::uint64_t seed) {
    orders::Wishes wishes;
    wishes.cycles = cycles.count;
    wishes.orders = orders;
    wishes.seed = seed;
    return orders::compare(network.graph(), wishes).difference;
}

} // namespace sme
