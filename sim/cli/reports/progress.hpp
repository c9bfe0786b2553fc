// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "runtime/clock.hpp"

namespace sme::cli {

/// "120 cycles/s" or "1.2 million cycles/s".
std::string speed_text(double cycles_per_second);

/// A line on a terminal that changes while something takes longer than a second. Nothing where
/// standard error is no terminal.
class StatusLine {
public:
    StatusLine();
    ~StatusLine(); ///< takes it away
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    /// Whether it is time for another text.
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

/// A line on a terminal while a run takes longer than a second: how far it is, how fast, how long
/// it will still take. Nothing where standard error is no terminal.
class Progress {
public:
    /// `total` is how many cycles there will be; 0 when nobody knows.
    explicit Progress(std::uint64_t total) : total_{total} {}

    void update(std::uint64_t done);

private:
    std::uint64_t total_;
    StatusLine line_;
};

} // namespace sme::cli
