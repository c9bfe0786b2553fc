// SPDX-License-Identifier: Apache-2.0
#include "trace/waveform/recorder.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "bits/integer.hpp"

namespace sme::trace {

void WaveformRecorder::open(const Observed& observed) {
    const Graph& graph = observed.graph();
    made_.clocks.push_back({"clock", {}});
    for (const ClockDomain& domain : graph.domains)
        made_.clocks.push_back({domain.name, domain.rate});
    const Traced traced{Selection{options_.select}, options_.state, options_.words};
    for (std::size_t k = 0; k < traced.families(graph); ++k)
        if (traced.may_take(graph, k) && !is_inside_clock(traced.family(graph, k)))
            add_family(traced, k, observed);
    finder_.prepare();
    finder_.set_missing(&observed.missing());
    opened_ = selected_ > 0;
    if (options_.last > 0)
        last_.emplace(options_.last);
    if (!opened_ && !traced.selection.everything())
        problem_ = fmt::format("no bus matches '{}'", options_.select);
}

void WaveformRecorder::add_family(const Traced& traced, std::size_t number,
                                  const Observed& observed) {
    const BusFamily& bus = traced.family(observed.graph(), number);
    FamilySignals family{traced, number, observed, finder_};
    selected_ = family.take(0, bus.count, traced.selection_of(observed.graph(), number), selected_,
                            [&](std::uint64_t element, const std::vector<std::uint32_t>& scalars) {
                                const std::string name = family.name(element);
                                for (const std::uint32_t scalar : scalars)
                                    add_signal(bus, name, family.scalars()[scalar]);
                            });
}

void WaveformRecorder::add_signal(const BusFamily& bus, const std::string& name,
                                  const Leaf& scalar) {
    const std::size_t room = options_.keeps_end ? options_.max_bytes / 2 : options_.max_bytes;
    if (made_.signals_left_out > 0 || bytes_ > room) {
        ++made_.signals_left_out;
        return;
    }
    const TypeRef type{bus.type, scalar.type}; // shares ownership of the enclosing type
    const std::size_t clock = bus.domain == no_domain ? 0 : bus.domain + 1;
    made_.signals.push_back(
        {name + scalar.path, type, bus.state, bus.wire(), clock, Changes{type->leaf_count()}});
    constexpr std::size_t first_change = 2 * sizeof(std::uint64_t);
    bytes_ += sizeof(Signal) + made_.signals.back().name.capacity() + first_change;
}

void WaveformRecorder::step(unsigned, Range, const Frame& frame) {
    if (!opened_ || made_.cut_short || !options_.window.holds(frame.cycle))
        return;
    try {
        take_cycle(frame);
    } catch (const std::bad_alloc&) {
        end_before(frame.cycle);
    }
}

/// Ends the window when memory is short: the run continues; the waveform keeps its complete cycles.
void WaveformRecorder::end_before(std::uint64_t cycle) {
    made_.cut_short = true;
    made_.window.to = std::min(made_.window.to, cycle);
    last_.reset();
    words_.clear();
}

void WaveformRecorder::take_cycle(const Frame& frame) {
    if (last_)
        return last_->take(frame, finder_);
    found_.clear();
    found_.append({frame.cycle, 0, Record::cycle_begins});
    if (made_.window.to == 0)
        finder_.find_all(frame, found_);
    else
        finder_.find(frame, found_);
    add(found_.records());
}

void WaveformRecorder::add(std::span<const Record> records) {
    for (const Record& record : records)
        if ((record.format & Record::cycle_begins) == 0) {
            if (record.signal < made_.signals.size()) // otherwise the signal is omitted
                add_value(record);
        } else {
            if (made_.window.to == 0)
                made_.window.from = record.value;
            made_.window.to = record.value + 1;
        }
    if (bytes_ > options_.max_bytes && options_.keeps_end)
        forget_half();
    else
        made_.cut_short = bytes_ > options_.max_bytes;
}

/// Drops the oldest cycles, keeping about half of the changes.
void WaveformRecorder::forget_half() {
    const auto changes_from = [&](std::uint64_t cycle) {
        std::uint64_t sum = 0;
        for (const Signal& signal : made_.signals)
            sum += signal.changes.size() - signal.changes.at(cycle);
        return sum;
    };
    const std::uint64_t half = made_.changes() / 2;
    std::uint64_t low = made_.window.from,
                  high = made_.window.to - 1; // at most half are after high
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (changes_from(middle) > half ? low : high) = middle;
    }
    made_.forgotten += high - made_.window.from;
    made_.window.from = high;
    for (Signal& signal : made_.signals) {
        bytes_ -= signal.changes.bytes();
        signal.changes.forget_before(high);
        bytes_ += signal.changes.bytes();
    }
}

/// Takes a word of a value, the highest first.
void WaveformRecorder::add_value(const Record& record) {
    const std::uint64_t cycle = made_.window.to - 1;
    Signal& signal = made_.signals[record.signal];
    const std::size_t before = signal.changes.bytes();
    if ((record.format & Record::unknown) != 0)
        signal.changes.add_unknown(cycle);
    else {
        words_.push_back(
            canonical(record.value, record.format & 0xffu, signal.type->extends_sign()));
        if ((record.format & Record::more) != 0)
            return;
        std::reverse(words_.begin(), words_.end());
        signal.changes.add(cycle, words_);
        words_.clear();
    }
    bytes_ += signal.changes.bytes() - before;
}

void WaveformRecorder::close(std::uint64_t cycles) {
    made_.cycles = cycles;
    try {
        if (last_)
            add(last_->records(cycles, finder_));
    } catch (const std::bad_alloc&) {
        end_before(made_.window.to == 0 ? 0 : made_.window.to - 1);
    }
}

} // namespace sme::trace
