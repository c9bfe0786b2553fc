// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace sme::cli {

/// A line on a terminal while a run takes longer than a second: how far it is, how fast, how long
/// it will still take. Nothing where standard error is no terminal.
class Progress {
public:
    /// `total` is how many cycles there will be; 0 when nobody knows.
    explicit Progress(std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// How many cycles to run before the next `update`: about a twentieth of a second of them.
    std::uint64_t slice() const { return slice_; }
    void update(std::uint64_t done);

private:
    using Clock = std::chrono::steady_clock;

    std::uint64_t total_;
    std::uint64_t slice_ = 1;
    std::uint64_t last_done_ = 0;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
    Clock::time_point shown_ = begin_;
    bool terminal_;
    bool visible_ = false;
};

} // namespace sme::cli
