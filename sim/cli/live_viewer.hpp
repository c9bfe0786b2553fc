// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/program.hpp"
#include "trace/view/shared_ring.hpp"

namespace sme::cli {

/// GTKWave, which shows a VCD file while it grows. The run writes its file as ever; a thread reads
/// it again and hands it over as fast as the viewer takes it, so that the run waits for neither.
class LiveViewer {
public:
    LiveViewer() = default;
    /// Ends the viewer, if it was started and not waited for.
    ~LiveViewer();
    LiveViewer(const LiveViewer&) = delete;
    LiveViewer& operator=(const LiveViewer&) = delete;

    /// Opens the file that grows, and starts the program on it with a save file. Why that cannot
    /// be; empty: it is done.
    std::string start(const std::string& program, const std::string& growing,
                      const std::string& save);
    bool started() const { return viewer_.joinable(); }
    /// The file has all that it will have. The marker goes there, and the window begins there, if
    /// something went wrong.
    void finish(std::optional<std::uint64_t> marker, std::uint64_t begin);
    /// Waits until the user has closed the viewer, or a signal closes it; not the one that ended
    /// the run, which is to be looked at. How it ended.
    ProgramEnd wait(bool signal_ended_run);

private:
    void feed();
    bool read_more(std::string& text) const;
    void set_script(const std::string& text) const;
    void pause(std::chrono::milliseconds time);
    void join();

    std::string program_;
    std::optional<trace::SharedRing> ring_;
    int file_ = -1;
    int script_ = -1; // a file in memory, which GTKWave carries out again and again
    std::atomic<bool> whole_{false}, unwanted_{false};
    std::mutex mutex_; // of what follows
    std::condition_variable ended_changed_;
    bool ended_ = false; // the viewer has
    ProgramEnd end_;
    std::thread viewer_, feeder_;
};

} // namespace sme::cli
