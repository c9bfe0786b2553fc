// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "engine/engine.hpp"
#include "runtime/clock.hpp"

namespace sme::cli {

/// "120 cycles/s" or "1.2 million cycles/s".
std::string speed_text(double cycles_per_second);

/// A changing line on a terminal, during an activity of more than a second. Inactive if standard
/// error is not a terminal.
class StatusLine {
public:
    StatusLine();
    ~StatusLine(); ///< removes the line
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    /// True if it is time to update the text.
    bool is_due() const;
    void show(const std::string& text);
    double elapsed_s() const { return seconds_of(Clock::now() - begin_); }

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin_ = Clock::now();
    Clock::time_point shown_ = begin_;
    bool terminal_;
    bool visible_ = false;
};

/// A terminal line for a run of more than a second: its progress, speed and remaining time.
/// Inactive if standard error is not a terminal.
class Progress {
public:
    /// `total`: the number of cycles, 0 if unknown.
    explicit Progress(std::uint64_t total) : total_{total} {}

    void update(std::uint64_t done);

private:
    std::uint64_t total_;
    StatusLine line_;
};

/// The values that --watch shows during a run: on a terminal a table redrawn five times a second,
/// elsewhere one line a second if a value changed, and one at the end. Reads values only between
/// slices of the run. Leaves the terminal settings unchanged.
class Watch {
public:
    /// `output` must outlive this.
    explicit Watch(StandardOutput& output);

    /// Call before the first cycle. `total`: the number of cycles, 0 if unknown. Returns `fine`, or
    /// the exit code after reporting the error.
    int open(const Options& options, const Loaded& loaded, const engine::Engine& engine,
             std::uint64_t total);
    /// True if a table is on a terminal, where nothing else may draw.
    bool on_terminal() const { return terminal_ && !watched_.empty(); }

    /// Call between two slices: shows the values when it is time.
    void update(const engine::Engine& engine);
    /// Call after the last cycle: shows the last values, which stay.
    void finish(const engine::Engine& engine);
    /// Removes the table, before other text is written.
    void take_away();

private:
    using Clock = std::chrono::steady_clock;

    struct Watched {
        std::string name;
        TypeRef type;
        std::uint64_t element;             // of the bus
        std::uint32_t offset;              // in the slot
        std::optional<std::uint32_t> mark; // in the slot: the byte that tells if it was written
    };

    int choose(const Graph& graph, const Options& options);
    void add_family(const BusFamily& bus, const std::string& patterns);
    static std::string value(const Watched& watched, const engine::Engine& engine);
    void show(const engine::Engine& engine, bool last);
    void show_table(const engine::Engine& engine);
    void show_line(const engine::Engine& engine, bool last);
    std::string head(std::uint64_t cycle);

    StandardOutput& output_;
    bool terminal_;
    std::vector<Watched> watched_;
    std::size_t names_ = 0; // characters of the longest name
    std::uint64_t total_ = 0;
    Clock::time_point shown_ = Clock::now();
    std::optional<std::uint64_t> shown_cycle_;
    std::string shown_values_;
    std::size_t drawn_lines_ = 0; // lines of the table above the cursor
};

} // namespace sme::cli
