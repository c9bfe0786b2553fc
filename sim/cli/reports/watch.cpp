// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/watch.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "bits/integer.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"
#include "cli/traced_names.hpp"
#include "engine/access.hpp"
#include "runtime/clock.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::cli {

std::string speed_text(double cycles_per_second) {
    if (cycles_per_second >= 1e6)
        return fmt::format("{:.1f} million cycles/s", cycles_per_second / 1e6);
    return fmt::format("{:.0f} cycles/s", cycles_per_second);
}

namespace {

std::string duration(double seconds) {
    if (seconds >= 3600)
        return fmt::format("{:.1f} h", seconds / 3600);
    return seconds >= 60 ? fmt::format("{:.1f} min", seconds / 60)
                         : fmt::format("{:.0f} s", seconds);
}

} // namespace

StatusLine::StatusLine() : terminal_{is_terminal(STDERR_FILENO)} {}

StatusLine::~StatusLine() {
    if (visible_)
        std::fputs("\r\033[K", stderr);
}

bool StatusLine::is_due() const {
    return terminal_ && elapsed_s() >= 1 && seconds_of(Clock::now() - shown_) >= 0.2;
}

void StatusLine::show(const std::string& text) {
    shown_ = Clock::now();
    visible_ = true;
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
}

void Progress::update(std::uint64_t done) {
    if (!line_.is_due())
        return;
    const double speed = static_cast<double>(done) / line_.elapsed_s();
    std::string line = fmt::format("{} cycles, {}", done, speed_text(speed));
    if (total_ > 0)
        line = fmt::format("{:.0f} %, {}, {} left",
                           100.0 * static_cast<double>(done) / static_cast<double>(total_), line,
                           duration(static_cast<double>(total_ - done) / speed));
    line_.show(line);
}

namespace {

constexpr std::size_t max_watched = 1000;

/// Cuts a line to the terminal's width.
std::string cut(const std::string& line, std::size_t columns) {
    std::size_t characters = 0;
    for (std::size_t k = 0; k < line.size(); ++k)
        if ((line[k] & 0xc0) != 0x80 && ++characters > columns)
            return line.substr(0, k);
    return line;
}

} // namespace

Watch::Watch(StandardOutput& output) : output_{output}, terminal_{is_terminal(STDOUT_FILENO)} {}

int Watch::open(const Options& options, const Loaded& loaded, const engine::Engine& engine,
                std::uint64_t total) {
    total_ = total;
    if (options.watch.empty())
        return exit_code::fine;
    if (const int failed = choose(loaded.design.graph, options); failed != exit_code::fine)
        return failed;
    for (const Watched& watched : watched_)
        names_ = std::max(names_, watched.name.size());
    shown_cycle_ = engine.cycle(); // the start of the speed measurement
    return exit_code::fine;
}

int Watch::choose(const Graph& graph, const Options& options) {
    std::string problem = unmatched(graph, options.watch, options.trace_state);
    const std::string patterns = joined(options.watch);
    const trace::Traced chosen{trace::Selection{patterns}, options.trace_state};
    for (const BusFamily& bus : graph.buses)
        if (problem.empty() && chosen.may_take(bus) && !trace::is_inside_clock(bus))
            add_family(bus, patterns);
    order_by(watched_, options.watch);
    if (watched_.size() > max_watched)
        problem = fmt::format("more than {} values match '{}'; watch fewer", max_watched, patterns);
    if (problem.empty())
        return exit_code::fine;
    report_error(Code::bad_option, "--watch: " + problem);
    return exit_code::usage;
}

void Watch::add_family(const BusFamily& bus, const std::string& patterns) {
    const trace::Selection selection{patterns};
    const std::vector<Leaf> scalars = bus.type->scalars();
    for (std::uint64_t k = 0; k < bus.count && watched_.size() <= max_watched; ++k) {
        const std::string element = bus.shape.element_name(bus.name, k);
        auto mark = static_cast<std::uint32_t>(bus.type->size()); // one per word
        for (const Leaf& scalar : scalars) {
            Watched result{element + scalar.path,
                           {bus.type, scalar.type},
                           bus.first + k,
                           scalar.offset,
                           std::nullopt};
            if (bus.unwritten == Unwritten::error)
                result.mark = mark;
            mark += static_cast<std::uint32_t>(scalar.type->leaf_count());
            if (selection.matches(result.name))
                watched_.push_back(std::move(result));
        }
    }
}

std::string Watch::value(const Watched& watched, const engine::Engine& engine) {
    const std::byte* const slot = engine.access().value(watched.element);
    if (watched.mark && slot[*watched.mark] == std::byte{0})
        return "x";
    const Type& type = *watched.type;
    std::vector<std::uint64_t> words(type.leaf_count());
    std::memcpy(words.data(), slot + watched.offset,
                type.is_wide() ? words.size() * sizeof words[0] : type.size());
    if (!type.is_wide())
        words[0] = canonical(words[0], static_cast<unsigned>(type.width_bits()), type.is_signed());
    return trace::shown_value(watched.type, words);
}

void Watch::update(const engine::Engine& engine) {
    const double interval_s = terminal_ ? 0.2 : 1;
    if (!watched_.empty() && seconds_of(Clock::now() - shown_) >= interval_s)
        show(engine, false);
}

void Watch::finish(const engine::Engine& engine) {
    if (watched_.empty())
        return;
    show(engine, true);
    drawn_lines_ = 0;
}

void Watch::show(const engine::Engine& engine, bool last) {
    if (terminal_)
        show_table(engine);
    else
        show_line(engine, last);
    output_.flush();
    shown_ = Clock::now();
    shown_cycle_ = engine.cycle();
}

/// Draws at most as many lines as the terminal has: lines that scrolled away cannot be redrawn.
void Watch::show_table(const engine::Engine& engine) {
    const std::size_t columns = output_columns() - 1, lines = output_lines();
    const std::size_t fit = lines > 4 ? lines - 3 : 1;
    std::string table = cut(head(engine.cycle()), columns) + "\n";
    std::size_t drawn = 1;
    for (const Watched& watched : watched_) {
        if (drawn > fit) {
            table += fmt::format("  and {} more\n", watched_.size() - fit);
            ++drawn;
            break;
        }
        table += cut(shown_text(
                         fmt::format("  {:<{}}  {}", watched.name, names_, value(watched, engine))),
                     columns) +
                 "\n";
        ++drawn;
    }
    take_away();
    output_.write(table);
    drawn_lines_ = drawn;
}

void Watch::show_line(const engine::Engine& engine, bool last) {
    std::string values;
    for (const Watched& watched : watched_)
        values += fmt::format("{} {} {}", values.empty() ? "" : ",", watched.name,
                              value(watched, engine));
    if (!last && values == shown_values_)
        return;
    output_.write(shown_text(fmt::format("cycle {}:{}\n", engine.cycle(), values)));
    shown_values_ = std::move(values);
}

std::string Watch::head(std::uint64_t cycle) {
    const std::uint64_t before = shown_cycle_.value_or(0);
    const double passed_s = seconds_of(Clock::now() - shown_);
    std::string result = fmt::format("cycle {}", cycle);
    if (cycle > before && passed_s > 0)
        result += ", " + speed_text(static_cast<double>(cycle - before) / passed_s);
    if (total_ > 0)
        result += fmt::format(", {:.0f} %",
                              100.0 * static_cast<double>(cycle) / static_cast<double>(total_));
    return result;
}

void Watch::take_away() {
    if (const std::size_t lines = std::exchange(drawn_lines_, 0); lines > 0)
        output_.write(fmt::format("\033[{}A\r\033[J", lines));
}

} // namespace sme::cli
