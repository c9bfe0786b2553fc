// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "runtime/clock.hpp"

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

StatusLine::StatusLine() : terminal_{::isatty(STDERR_FILENO) == 1} {}

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

} // namespace sme::cli
