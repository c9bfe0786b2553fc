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

/// Shows a growing VCD file in GTKWave. The run writes its file as always; a thread reads the file
/// and passes it on at the viewer's pace, so the run never waits for the viewer.
class LiveViewer {
public:
    LiveViewer() = default;
    /// Ends the viewer if it is still running.
    ~LiveViewer();
    LiveViewer(const LiveViewer&) = delete;
    LiveViewer& operator=(const LiveViewer&) = delete;

    /// Opens the growing file, and starts the program on it with a save file. Returns the error
    /// message; empty on success.
    std::string start(const std::string& program, const std::string& growing,
                      const std::string& save);
    bool started() const { return viewer_.joinable(); }
    /// Call when the file is complete. After a failure, sets the marker, and moves the window to
    /// `begin`.
    void finish(std::optional<std::uint64_t> marker, std::uint64_t begin);
    /// Waits until the user closes the viewer or a signal ends it; ignores the signal that ended
    /// the run, so that the user can inspect it. Returns how the viewer ended.
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
    int script_ = -1; // a file in memory, which GTKWave executes repeatedly
    std::atomic<bool> whole_{false}, unwanted_{false};
    std::mutex mutex_; // guards the following members
    std::condition_variable ended_changed_;
    bool ended_ = false; // the viewer has ended
    ProgramEnd end_;
    std::thread viewer_, feeder_;
};

} // namespace sme::cli
