// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

namespace sme::cli {

namespace {

std::string rate(double cycles_per_second) {
    if (cycles_per_second >= 1e6)
        return fmt::format("{:.1f} million cycles/s", cycles_per_second / 1e6);
    return fmt::format("{:.0f} cycles/s", cycles_per_second);
}

std::string duration(double seconds) {
    if (seconds >= 3600)
        return fmt::format("{:.1f} h", seconds / 3600);
    return seconds >= 60 ? fmt::format("{:.1f} min", seconds / 60)
                         : fmt::format("{:.0f} s", seconds);
}

} // namespace

Progress::Progress(std::uint64_t total) : total_{total}, terminal_{::isatty(STDERR_FILENO) == 1} {}

Progress::~Progress() {
    if (visible_)
        fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::uint64_t done) {
    const Clock::time_point now = Clock::now();
    const double step = std::chrono::duration<double>(now - last_).count();
    if (step < 0.025)
        slice_ = std::min<std::uint64_t>(slice_ * 2, std::uint64_t{1} << 40);
    else if (step > 0.1)
        slice_ = std::max<std::uint64_t>(slice_ / 2, 1);
    last_ = now;
    last_done_ = done;
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    if (!terminal_ || elapsed < 1 || std::chrono::duration<double>(now - shown_).count() < 0.2)
        return;
    shown_ = now;
    visible_ = true;
    const double speed = static_cast<double>(done) / elapsed;
    std::string line = fmt::format("{} cycles, {}", done, rate(speed));
    if (total_ > 0)
        line = fmt::format("{:.0f} %, {}, {} left",
                           100.0 * static_cast<double>(done) / static_cast<double>(total_), line,
                           duration(static_cast<double>(total_ - done) / speed));
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
}

} // namespace sme::cli
