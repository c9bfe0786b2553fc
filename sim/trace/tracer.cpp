// SPDX-License-Identifier: Apache-2.0
//
// 1. open   writes the declarations and starts the encoder's thread
// 2. step   finds the changes and puts them into the ring of chunks
// 3. close  lets the thread write the rest, joins it, and renames the file to its final name
// With `keep_last`, changes stay in memory; close writes them or discards them.
#include "trace/tracer.hpp"

#include <atomic>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "base/files.hpp"
#include "sme/network.hpp"
#include "sme/trace.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/chunk_ring.hpp"
#include "trace/collect/last_cycles.hpp"
#include "trace/format.hpp"

namespace sme::trace {

struct Tracer::Data {
    Data(std::string path, TracerOptions given)
        : options{std::move(given)}, encoder{options.format->make(options.period, problem)} {
        if (problem.empty()) {
            file.emplace(std::move(path));
            problem = file->problem();
        }
    }
    ~Data() { join(); }

    void join() {
        if (!thread.joinable())
            return;
        ring.finish();
        thread.join();
    }
    void encode() {
        for (auto records = ring.next(); !records.empty(); records = ring.next())
            try {
                if (exhausted)
                    continue;
                encoder->encode(records);
                flush_file();
            } catch (const std::bad_alloc&) {
                exhausted = true;
                file_failed.store(true, std::memory_order_release);
            }
    }
    std::string no_memory() const {
        return fmt::format("there is not enough memory to write '{}'", file->path());
    }
    /// Call after each chunk, which is as large as the file's buffer: readers of the file then see
    /// it.
    void flush_file() {
        if (!file->flush())
            file_failed.store(true, std::memory_order_release);
    }
    void keep_cycle(const Frame& frame) {
        try {
            last->take(frame, finder);
        } catch (const std::bad_alloc&) {
            give_up_last();
        }
    }
    bool write_last(std::uint64_t cycles) {
        try {
            kept_from = last->first(cycles);
            encoder->encode(last->records(cycles, finder));
            return true;
        } catch (const std::bad_alloc&) {
            give_up_last();
            return false;
        }
    }
    void give_up_last() {
        last.reset();
        kept_from.reset();
        give_up(fmt::format("there is not enough memory for the last {} cycles of '{}'; give a "
                            "smaller number",
                            options.keep_last, file->path()));
    }
    /// Abandons the trace; no file appears.
    void give_up(std::string why) {
        problem = std::move(why);
        opened = false;
        join();
        file.reset();
    }

    TracerOptions options;
    std::string problem; // of the run's thread; the file has its own
    std::unique_ptr<Encoder> encoder;
    std::optional<OutputFile> file;
    ChangeFinder finder;
    std::optional<LastCycles> last; // replaces the ring and the thread
    std::optional<std::uint64_t> kept_from;
    bool nothing = false; // no signal is selected
    bool opened = false;
    ChunkRing ring;
    std::atomic<bool> exhausted{false}; // the encoder lacked memory
    std::size_t signals = 0;
    std::uint64_t cycles_begun = 0;
    std::uint64_t values_at_start = 0;
    /// Set (release) after the file has recorded its problem, or after `exhausted`; read (acquire)
    /// before these are read.
    std::atomic<bool> file_failed{false};
    std::thread thread;
};

Tracer::Tracer(std::string path, TracerOptions options)
    : data_{std::make_unique<Data>(std::move(path), std::move(options))} {}

Tracer::~Tracer() = default;

void Tracer::open(const Observed& observed) {
    Data& data = *data_;
    if (!data.problem.empty())
        return;
    const Traced traced{Selection{data.options.select}, data.options.state, data.options.words};
    data.signals = data.encoder->begin(*data.file, observed, traced, data.finder);
    data.finder.prepare();
    data.finder.set_missing(&observed.missing());
    data.nothing = data.signals == 0 && !traced.selection.everything() && data.file->good();
    if (data.nothing)
        return data.give_up(fmt::format("no bus matches '{}'", data.options.select));
    data.opened = true;
    if (data.options.keep_last == 0)
        data.flush_file(); // from now on a viewer can open the file in any case
    data.file->keep_lines();
    if (data.options.keep_last > 0) {
        data.last.emplace(data.options.keep_last);
        return;
    }
    try {
        data.thread = std::thread{[&data] { data.encode(); }};
    } catch (const std::system_error& error) {
        data.give_up(fmt::format("cannot start the thread that writes the trace: {}",
                                 error.code().message()));
    }
}

std::optional<std::vector<Range>> Tracer::reads() const {
    return data_->finder.elements();
}

void Tracer::step(unsigned, Range, const Frame& frame) {
    Data& data = *data_;
    if (!data.opened || data.file_failed.load(std::memory_order_relaxed))
        return;
    if (frame.cycle > data.encoder->last_cycle())
        return data.give_up(fmt::format("the times in '{}' pass 63 bits in cycle {}",
                                        data.file->path(), frame.cycle));
    if (data.last)
        return data.keep_cycle(frame);
    data.ring.append({frame.cycle, 0, Record::cycle_begins});
    if (data.cycles_begun++ == 0) {
        data.finder.find_all(frame, data.ring);
        data.values_at_start = data.ring.records() - 1;
    } else
        data.finder.find(frame, data.ring);
}

void Tracer::close(std::uint64_t cycles) {
    Data& data = *data_;
    if (!data.opened)
        return;
    if (cycles > data.encoder->last_cycle())
        return data.give_up(
            fmt::format("the times in '{}' pass 63 bits in cycle {}", data.file->path(), cycles));
    if (data.last && !(data.options.keep && data.options.keep()))
        return data.file.reset();
    if (data.last && !data.write_last(cycles))
        return;
    data.join();
    if (data.exhausted)
        data.file->refuse(data.no_memory());
    data.encoder->finish(cycles);
    data.file->commit();
    data.problem = data.file->problem();
    data.file.reset();
}

void Tracer::flush() {
    if (data_->opened && !data_->last)
        data_->ring.flush();
}

void Tracer::abandon() {
    Data& data = *data_;
    if (!data.opened)
        return;
    if (data.last) // none of it is in the file yet
        return data.give_up(fmt::format("'{}' is not written", data.file->path()));
    data.opened = false;
    data.join();
    data.encoder->abandon();
    data.file->abandon();
    data.problem = data.file->problem();
}

std::string Tracer::problem() const {
    if (data_->problem.empty() && data_->file_failed.load(std::memory_order_acquire))
        return data_->exhausted ? data_->no_memory() : data_->file->problem();
    return data_->problem;
}

bool Tracer::selects_nothing() const {
    return data_->nothing;
}

std::size_t Tracer::signals() const {
    return data_->signals;
}

std::optional<std::uint64_t> Tracer::kept_from() const {
    return data_->kept_from;
}

std::uint64_t Tracer::changes() const {
    if (data_->last)
        return data_->last->changes();
    return data_->ring.records() - data_->values_at_start - data_->cycles_begun;
}

} // namespace sme::trace

namespace sme {

std::shared_ptr<Observer> vcd_tracer(const std::string& path, const TraceOptions& options) {
    trace::TracerOptions chosen;
    chosen.period = options.clock_ps == 0
                        ? trace::ClockPeriod{options.clock_ns, trace::TimeUnit::nanoseconds}
                        : trace::ClockPeriod::of(options.clock_ps);
    if (path.ends_with(".fst"))
        chosen.format = &trace::format_of(path);
    chosen.state = options.state;
    chosen.select = options.select;
    auto tracer = std::make_shared<trace::Tracer>(path, std::move(chosen));
    if (!tracer->good())
        throw NetworkError{tracer->problem()};
    return tracer;
}

} // namespace sme
