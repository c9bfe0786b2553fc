// SPDX-License-Identifier: Apache-2.0
//
// 1. one thread runs the viewer, another feeds it
// 2. a script in the viewer keeps the end of the trace visible, unless the user moves the window
//    away
// 3. after the run, another script replaces it: it follows until the last cycles have arrived, and
//    sets the marker once
#include "cli/live_viewer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/terminal.hpp"

namespace sme::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds short_pause{20};
constexpr const char* script_period_ms = "200";
constexpr std::size_t script_bytes = 1024; // padded size: a script overwrites the last one

/// The window follows the end of the trace as long as it starts where this script put it, or where
/// the end was.
constexpr const char* following = R"(set start [gtkwave::getWindowStartTime]
set last [expr {[gtkwave::getMaxTime] - ([gtkwave::getWindowEndTime] - $start)}]
if {![info exists sme_start]} { set sme_start $start; set sme_last $last }
if {$last > $start && ($start == $sme_start || $start >= $sme_last)} {
  gtkwave::setWindowStartTime $last
  set sme_start [gtkwave::getWindowStartTime]
}
set sme_last $last
)";

/// The last cycles may not have reached the viewer yet.
constexpr const char* marking = R"(if {{![info exists sme_marked]}} {{
{2}if {{[gtkwave::getMaxTime] >= {0}}} {{
  gtkwave::setMarker {0}
  gtkwave::setWindowStartTime {1}
  set sme_marked 1
}}
}}
)";

} // namespace

LiveViewer::~LiveViewer() {
    unwanted_ = true;
    join();
    for (const int descriptor : {file_, script_})
        if (descriptor >= 0)
            ::close(descriptor);
}

void LiveViewer::join() {
    whole_ = true;
    if (viewer_.joinable())
        viewer_.join();
    if (feeder_.joinable())
        feeder_.join();
}

std::string LiveViewer::start(const std::string& program, const std::string& growing,
                              const std::string& save) {
    ring_.emplace();
    if (!ring_->problem().empty())
        return ring_->problem();
    file_ = ::open(growing.c_str(), O_RDONLY | O_CLOEXEC);
    script_ = ::memfd_create("script", MFD_CLOEXEC);
    if (file_ < 0 || script_ < 0)
        return fmt::format("cannot follow '{}': {}", growing, std::strerror(errno));
    set_script(following);
    program_ = program;
    feeder_ = std::thread{[this] { feed(); }};
    viewer_ = std::thread{[this, save] {
        const ProgramLimit limit{0, &unwanted_, 0, &interrupted_by()};
        ProgramEnd end = run_program(program_,
                                     {"-I", ring_->name(), save, "-R",
                                      fmt::format("/proc/{}/fd/{}", ::getpid(), script_), "-P",
                                      script_period_ms},
                                     ProgramStreams::ours, {}, &limit);
        const std::lock_guard lock{mutex_};
        end_ = std::move(end);
        ended_ = true;
        ended_changed_.notify_all();
    }};
    return {};
}

void LiveViewer::set_script(const std::string& text) const {
    std::string whole = text;
    whole.resize(script_bytes, '\n');
    if (::pwrite(script_, whole.data(), whole.size(), 0) < 0)
        return; // the window keeps its position
}

void LiveViewer::finish(std::optional<std::uint64_t> marker, std::uint64_t begin) {
    whole_ = true;
    if (marker)
        set_script(fmt::format(fmt::runtime(marking), *marker, begin, following));
}

ProgramEnd LiveViewer::wait(bool signal_ended_run) {
    {
        std::unique_lock lock{mutex_};
        while (!ended_changed_.wait_for(lock, short_pause, [&] { return ended_; }))
            if (interrupted() && !signal_ended_run)
                unwanted_ = true;
    }
    join();
    return end_;
}

/// Appends new content of the file; true if there was any.
bool LiveViewer::read_more(std::string& text) const {
    const std::size_t before = text.size();
    if (before >= trace::SharedRing::bytes)
        return true;
    text.resize(before + trace::SharedRing::bytes);
    const ssize_t got = ::read(file_, text.data() + before, trace::SharedRing::bytes);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return got > 0 || (got < 0 && errno == EINTR);
}

void LiveViewer::pause(milliseconds time) {
    std::unique_lock lock{mutex_};
    ended_changed_.wait_for(lock, time, [&] { return ended_; });
}

/// The viewer reads until the ring is empty and only then draws. So it receives the next part a
/// while after it has read the last one.
void LiveViewer::feed() {
    constexpr milliseconds longest_pause{500};
    const auto is_ended = [this] {
        const std::lock_guard lock{mutex_};
        return ended_;
    };
    std::string text;
    while (!is_ended()) {
        const bool whole = whole_; // before the file, so that `true` covers all of it
        const bool more = read_more(text);
        const std::size_t taken = ring_->put(text);
        text.erase(0, taken);
        if (taken == 0 && !more && whole)
            return;
        const Clock::time_point begin = Clock::now();
        while (!ring_->is_empty() && !is_ended())
            pause(short_pause);
        const auto reading = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
        pause(std::clamp(reading, short_pause, longest_pause));
    }
}

} // namespace sme::cli
