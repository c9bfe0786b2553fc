// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "cli/reports/standard_output.hpp"
#include "engine/engine.hpp"

namespace sme::cli {

/// What --watch shows while a network runs: on a terminal a table that is drawn anew five times a
/// second, elsewhere a line a second when a value changed, and one at the end. It looks at the
/// values between the slices of the run only. The terminal keeps its settings all the time.
class Watch {
public:
    /// `output` outlives it.
    explicit Watch(StandardOutput& output);

    /// Before the first cycle; `total`: how many cycles there will be, 0 when that is not known.
    /// The exit code that the command ends with here, which has been explained, or fine.
    int open(const Options& options, const Loaded& loaded, const engine::Engine& engine,
             std::uint64_t total);
    /// Whether there is a table on a terminal, where nothing else may draw.
    bool on_terminal() const { return terminal_ && !watched_.empty(); }

    /// Between two slices: shows the values when it is time.
    void update(const engine::Engine& engine);
    /// After the last cycle: shows the last values, which stay.
    void finish(const engine::Engine& engine);
    /// Takes the table away, before other text is written.
    void take_away();

private:
    using Clock = std::chrono::steady_clock;

    struct Watched {
        std::string name;
        TypeRef type;
        std::uint64_t element;             // of the bus
        std::uint32_t offset;              // in its slot
        std::optional<std::uint32_t> mark; // in its slot: the byte that says if it was written
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
    std::size_t names_ = 0; // characters of the longest one
    std::uint64_t total_ = 0;
    Clock::time_point shown_ = Clock::now();
    std::optional<std::uint64_t> shown_cycle_;
    std::string shown_values_;
    std::size_t drawn_lines_ = 0; // of the table that stands above the cursor
};

} // namespace sme::cli
