// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/observer.hpp"
#include "trace/format.hpp"

namespace sme::trace {

struct TracerOptions {
    ClockPeriod period;
    /// Patterns of the traced names, with `*` and `?`, separated by commas: "total.value",
    /// "token[3]" or "node*". A pattern also matches everything below a matching name: "total"
    /// matches its fields, "token" every element. Empty: everything.
    std::string select = {};
    /// Trace the private states of processes, too.
    bool state = false;
    /// Memories and lets of processes to trace.
    std::vector<TracedWords> words = {};
    /// Not 0: write only this number of last cycles, and only if `keep` requests it at the end.
    std::uint64_t keep_last = 0;
    std::function<bool()> keep = {};
    /// The format of the file.
    const Format* format = &format_of(".vcd");
};

/// Writes the values of a network's buses to a file, in any of the formats.
///
/// The run's thread finds the changes; a thread of the tracer writes them as text. When the writer
/// falls behind, the run waits; no change is dropped. With `keep_last` there is no writer: changes
/// stay in memory (last_cycles.hpp) until the run has ended. An error stops tracing, but not the
/// run. Without an error, `close` gives the file its final name; otherwise the written part stays
/// under `.part`, in whole lines that a viewer can read.
class Tracer final : public Observer {
public:
    /// Opens the file; `good` then tells whether that succeeded.
    Tracer(std::string path, TracerOptions options);
    ~Tracer() override;

    void open(const Observed& observed) override;
    std::optional<std::vector<Range>> reads() const override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;

    /// Writes the changes found so far to the file, for programs that read it during the run. Call
    /// it between cycles.
    void flush();
    /// Ends the trace of an incomplete run: the file stays under `.part`, and `problem` reports
    /// that.
    void abandon();

    bool good() const { return problem().empty(); }
    /// Why the trace failed, for a diagnostic; empty if there was no error.
    std::string problem() const override;
    /// True if the selection matches no signal, so that the file would be empty. Valid after
    /// opening.
    bool selects_nothing() const;
    /// The number of traced signals, without the clock. Valid after opening.
    std::size_t signals() const;
    /// With `keep_last`, after `close`: the first cycle in the file, or `nullopt` if nothing was
    /// written.
    std::optional<std::uint64_t> kept_from() const;
    /// The number of changes found so far, without the values at time 0 and the clock.
    std::uint64_t changes() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme::trace
