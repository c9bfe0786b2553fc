// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace sme::systemc {

/// SystemC's kernel and its thread.
///
/// The library has one kernel per program, in global variables, so only one process of one
/// simulator can own it at a time; when that simulator ends, the kernel is renewed for the next.
///
/// SystemC's threads are coroutines and must resume on the thread where they stopped: all uses of
/// the kernel then run on one thread, whichever engine thread steps the process. That is a separate
/// thread, or the thread that creates the process, which then must also step it. A module with only
/// methods has no coroutines and runs on any thread that steps it.
class Kernel {
public:
    /// Claims the kernel for a process. `own_thread`: whether it gets a separate thread; `nullopt`:
    /// only if its module has coroutines. Throws NetworkError if another process owns the kernel,
    /// or if the program uses it for its own simulation.
    Kernel(const std::string& owner, std::optional<bool> own_thread);
    /// Renews the kernel. All objects built on it must be destroyed before.
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /// Call after the module is constructed, and again after it has settled.
    void look_for_coroutines();

    /// Runs a job on the kernel's thread and waits for it. Throws std::runtime_error with the
    /// message of the job's exception, or if there is no separate thread and the caller's thread
    /// did not create this object. One caller at a time.
    void run(const std::function<void()>& job);

    /// Advances time by this amount; call on the kernel's thread. Returns false after sc_stop().
    /// Throws std::runtime_error if the model paused, because nothing would resume it.
    static bool pass(std::uint64_t picoseconds);
    /// Runs all pending events without advancing time. Returns and throws as `pass`.
    static bool settle();

    /// Returns the process that owns the kernel; empty: the kernel is free.
    static std::string owner();

private:
    /// SystemC's handling of some reports while a process owns the kernel.
    class Actions;

    void work(const std::function<void()>& job);
    void serve();
    void wait_for(std::uint32_t state);

    enum : std::uint32_t { idle, posted, done, ended };
    std::atomic<std::uint32_t> state_{idle};
    const std::function<void()>* job_ = nullptr; // while posted
    std::string problem_;                        // of the last job
    bool failed_ = false;
    std::thread::id home_;  // of the kernel, without a separate thread
    bool open_ = false;     // not yet decided whether it gets one
    bool anywhere_ = false; // any thread may run it
    std::thread thread_;
    std::unique_ptr<Actions> actions_;
};

} // namespace sme::systemc
