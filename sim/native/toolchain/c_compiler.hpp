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

#include "native/toolchain/abi.hpp"

namespace sme::native {

/// Compiled functions in this process.
class Object {
public:
    /// Null, with a problem, if it cannot be loaded.
    static std::shared_ptr<const Object> load(const std::string& path, std::string& problem);
    ~Object();
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    /// The address of a function; null if absent.
    void* find(const std::string& name) const;
    Kernel kernel(const std::string& name) const { return reinterpret_cast<Kernel>(find(name)); }

private:
    explicit Object(void* loaded) : loaded_{loaded} {}
    void* loaded_;
};

struct CompilerSettings {
    std::string compiler;                        // path of a C compiler
    std::string folder;                          // of the object cache
    double seconds = 120;                        // time limit
    int niceness = 0;                            // of the compiler
    const std::atomic<bool>* unwanted = nullptr; // true: stop it
    std::vector<std::string> more_flags = {};    // after the usual ones
    std::vector<std::string> first = {};         // before all others: "gcc" of "ccache gcc"
    /// The flags that the compiler refuses, found when it first fails: a bit for each that can be
    /// left out. Copies of the settings share it.
    std::shared_ptr<std::atomic<unsigned>> refused = std::make_shared<std::atomic<unsigned>>(0);
};

/// The result of a compilation.
struct Compiled {
    std::shared_ptr<const Object> object; // null: see `problem`
    std::string problem;
    std::string note;   // why the object was not cached; empty if it was
    bool kept = false;  // it was compiled before
    double seconds = 0; // time taken
};

/// Compiles C, or loads the object that the same compiler made from the same text for the same CPU.
/// Any number of threads and processes may call it with the same folder. It loads an object from
/// the folder only if its digest matches and the current user owns it.
Compiled compile(const std::string& text, const CompilerSettings& settings);

/// Compiles C files on its own threads, several in parallel.
class Compilers {
public:
    struct Made {
        std::size_t file;
        Compiled compiled;
        bool slow = false; // stopped by `stop_slow`
    };

    /// `files`: numbers, in the order of compilation. `text` returns the C of a file; any thread
    /// may call it. `at_once`: the number of files compiled in parallel, at least 1. Throws
    /// std::system_error when no thread can be started.
    Compilers(std::vector<std::size_t> files, std::function<std::string(std::size_t)> text,
              const CompilerSettings& settings, unsigned at_once);
    ~Compilers() { stop(); }
    Compilers(const Compilers&) = delete;
    Compilers& operator=(const Compilers&) = delete;

    /// The files finished since the last call, in the order of completion; waits at most `most` for
    /// the first of them.
    std::vector<Made> take(std::chrono::milliseconds most = {});
    /// True if no compiler runs and all results were taken.
    bool done() const;

    /// The run time of the longest running compiler; 0 if no compiler runs.
    double longest_s() const;
    /// Stops compilers that have run for this long, with their child processes; other files follow.
    void stop_slow(double seconds);
    /// Starts no more files.
    void begin_no_more();
    /// Stops all compilers and waits for their end.
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    struct Worker {
        std::thread thread;
        std::atomic<bool> unwanted{false}; // stops its compiler
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
    mutable std::mutex mutex_; // guards the members below and the workers
    std::condition_variable ready_;
    std::size_t next_ = 0; // index in `files_`
    std::vector<Made> made_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace sme::native
