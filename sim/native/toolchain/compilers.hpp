// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "native/toolchain/c_compiler.hpp"

namespace sme::native {

/// Compiles C files, on threads of its own, some of them side by side.
class Compilers {
public:
    struct Made {
        std::size_t file;
        Compiled compiled;
        bool slow = false; // it was stopped by `stop_slow`
    };

    /// `files`: numbers, in the order in which they are compiled. `text` gives the C of a file; any
    /// thread may ask for it. `at_once`: files that are compiled side by side, 1 or more. Throws
    /// std::system_error when no thread can be started.
    Compilers(std::vector<std::size_t> files, std::function<std::string(std::size_t)> text,
              const CompilerSettings& settings, unsigned at_once);
    ~Compilers() { stop(); }
    Compilers(const Compilers&) = delete;
    Compilers& operator=(const Compilers&) = delete;

    /// What became of files since it was asked last, in the order in which they were ready; waits
    /// for the first of them at most so long.
    std::vector<Made> take(std::chrono::milliseconds most = {});
    /// Whether nothing is compiled any more and all was taken.
    bool done() const;

    /// For how long the one that has run longest has been running; 0: none runs.
    double longest_s() const;
    /// Stops those that have run for so long, with all that they started; others follow.
    void stop_slow(double seconds);
    /// No other file is begun.
    void begin_no_more();
    /// Stops all, and waits for their end.
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    struct Worker {
        std::thread thread;
        std::atomic<bool> unwanted{false}; // what it compiles
        bool busy = false;
        bool slow = false;
        Clock::time_point begin;
    };

    void work(Worker& worker);
    bool begin(Worker& worker, std::size_t& file);
    Compiled compile(std::size_t file, const Worker& worker) const;

    const std::function<std::string(std::size_t)> text_;
    const CompilerSettings settings_;
    const std::vector<std::size_t> files_;
    mutable std::mutex mutex_; // of all below, and of workers
    std::condition_variable ready_;
    std::size_t next_ = 0; // place in `files_`
    std::vector<Made> made_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace sme::native
