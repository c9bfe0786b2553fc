// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

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

} // namespace sme::cli
