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
    /// What is traced: patterns with `*` and `?`, separated by commas, of names such as
    /// "total.value", "token[3]" or "node*". A pattern also takes all that lies below the name it
    /// matches: "total" its fields, "token" every element. Empty: everything.
    std::string select = {};
    /// Whether the private state of processes is traced as well.
    bool state = false;
    /// Memories and lets of processes that are traced as well.
    std::vector<TracedWords> words = {};
    /// Not 0: only so many last cycles are written, and only when `keep` says so at the end.
    std::uint64_t keep_last = 0;
    std::function<bool()> keep = {};
    /// How the file is written.
    const Format* format = &format_of(".vcd");
};

/// Writes the values of a network's buses to a file, in any of the formats.
///
/// The thread of the run finds the changes, and a thread of the tracer writes them as text. When
/// the writer falls behind, the run waits; no change is dropped. With `keep_last` there is no
/// writer: changes stay in memory (last_cycles.hpp) until the run has ended. After an error tracing
/// stops and the run continues. Without an error, `close` gives the file its name; after one, the
/// part that was written stays under `.part`, in whole lines that a viewer reads.
class Tracer final : public Observer {
public:
    /// Opens the file; afterwards `good` tells whether it is open.
    Tracer(std::string path, TracerOptions options);
    ~Tracer() override;

    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;

    /// Writes the changes found so far to the file, for programs that read it during the run. Call
    /// it between cycles.
    void flush();
    /// Ends a trace whose run cannot be finished: the file stays under `.part`, and `problem` says
    /// so.
    void abandon();

    bool good() const { return problem().empty(); }
    /// Why there is no trace, or will be none, for a diagnostic; empty while all is well.
    std::string problem() const override;
    /// The file would hold no signal: none matches the selection. Known once opened.
    bool selects_nothing() const;
    /// How many signals are traced, without the clock. Known once opened.
    std::size_t signals() const;
    /// With `keep_last`, once closed: whether anything was written, and from which cycle on.
    std::optional<std::uint64_t> kept_from() const;
    /// How many changes were found so far, without the values at time 0 and the clock.
    std::uint64_t changes() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme::trace
