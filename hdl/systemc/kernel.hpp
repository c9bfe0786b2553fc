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

/// SystemC's kernel, and the thread it lives on.
///
/// The library has one kernel in a program, in global variables. So one process of one simulator
/// can hold it at a time; when that simulator ends, the kernel is made anew for the next.
///
/// SystemC's threads are coroutines, which must go on where they stopped: everything that touches
/// the kernel then runs on one thread, whichever thread of the engine steps the process. That is a
/// thread of its own, or the one that makes it; then only that one may use it. A module of methods
/// alone has no coroutines and runs on whichever thread steps it.
class Kernel {
public:
    /// Takes the kernel for a process. Whether it gets a thread of its own: none, when its module
    /// has coroutines. Throws NetworkError when another one has it, or when the program uses it for
    /// a simulation of its own.
    Kernel(const std::string& owner, std::optional<bool> own_thread);
    /// Makes the kernel anew. Everything that was built on it must be gone.
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /// To be called when the module is made, and when it has settled.
    void look_for_coroutines();

    /// Runs a job on the kernel's thread and waits for it. Throws std::runtime_error with what the
    /// job threw, or when there is no own thread and the caller is not the one that made this. One
    /// caller at a time.
    void run(const std::function<void()>& job);

    /// Lets so much time pass; on the kernel's thread. False when sc_stop() was called. Throws
    /// std::runtime_error when the model paused, which nobody could end.
    static bool pass(std::uint64_t picoseconds);
    /// Lets everything happen that happens now, and no time pass. Returns and throws as `pass`.
    static bool settle();

    /// Which process has the kernel; empty: none.
    static std::string owner();

private:
    /// What SystemC does with some of its reports while the kernel is ours.
    class Actions;

    void work(const std::function<void()>& job);
    void serve();
    void wait_for(std::uint32_t state);

    enum : std::uint32_t { idle, posted, done, ended };
    std::atomic<std::uint32_t> state_{idle};
    const std::function<void()>* job_ = nullptr; // while posted
    std::string problem_;                        // of the last job
    bool failed_ = false;
    std::thread::id home_;  // of the kernel, when it has no own thread
    bool open_ = false;     // whether it gets one is not known yet
    bool anywhere_ = false; // any thread may use it
    std::thread thread_;
    std::unique_ptr<Actions> actions_;
};

} // namespace sme::systemc
