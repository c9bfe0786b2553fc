// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runtime/observer.hpp"
#include "trace/vcd/vcd_time.hpp"

namespace sme::trace {

struct VcdOptions {
    ClockPeriod period;
    /// What is traced: patterns with `*` and `?`, separated by commas, of names such as
    /// "total.value", "token[3]" or "node*". A pattern also takes all that lies below the name it
    /// matches: "total" its fields, "token" every element. Empty: everything.
    std::string select = {};
    /// Whether the private state of processes is traced as well.
    bool state = false;
    /// Not 0: only so many last cycles are written, and only when `keep` says so at the end.
    std::uint64_t keep_last = 0;
    std::function<bool()> keep = {};
};

/// Writes every change of a network's buses to a VCD file (IEEE 1364-2005, clause 18).
///
/// The run's thread looks for changes and hands them over; a thread of the tracer's writes them as
/// text. When that one falls behind, the run waits: nothing is dropped. With `keep_last` there is
/// no such thread: changes stay in memory (last_cycles.hpp) until the run has ended. Once something
/// has gone wrong, tracing stops and the run goes on. The file appears under its name in `close`,
/// when all went well, and not at all otherwise; what could be written of it then stays under
/// `.part`, whole lines that a viewer reads.
class VcdTracer final : public Observer {
public:
    /// Opens the file; `good` says whether that worked.
    VcdTracer(std::string path, VcdOptions options);
    ~VcdTracer() override;

    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;

    /// Writes the changes found so far to the file, for readers during the run or when the run will
    /// not be finished. Call it between cycles.
    void flush();
    /// The run will not be finished: what was traced stays under `.part`, and is the problem.
    void abandon();

    bool good() const { return problem().empty(); }
    /// Why there is no trace, or will be none, for a diagnostic; empty while all is well.
    std::string problem() const override;
    /// How many signals are traced, without the clock. Known once opened.
    std::size_t signals() const;
    /// With `keep_last`, once closed: whether anything was written, and from which cycle on.
    std::optional<std::uint64_t> kept_from() const;
    /// How many changes were found so far; the values at time 0 and the clock are not counted.
    std::uint64_t changes() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme::trace
