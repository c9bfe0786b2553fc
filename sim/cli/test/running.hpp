// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "base/test/scratch.hpp"

namespace sme::test {

/// True if a process is running. The system may take a moment to end it, and may list it
/// afterwards.
inline bool is_alive(int process) {
    const std::string file = "/proc/" + std::to_string(process) + "/stat";
    for (int k = 0; k < 1000; ++k) {
        const std::string state = text_of(file);
        if (state.empty() || contains(state, ") Z "))
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return true;
}

/// Runs the command in the background; kills it at the end. No test depends on the speed of the
/// machine: each waits for an event, and only a command that hangs reaches the limit.
class Running {
public:
    /// Starts the command in a folder, or with `by` another program, with arguments in shell
    /// syntax.
    Running(const std::string& arguments, const std::string& folder, const std::string& by = "") {
        const std::string line = "cd '" + folder + "' && exec " + by + " " SME_COMMAND " " +
                                 arguments + " >'" + streams_.path("out") + "' 2>'" +
                                 streams_.path("err") + "' </dev/null";
        process_ = ::fork();
        if (process_ == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
            ::_exit(127);
        }
    }
    ~Running() {
        if (!ended_)
            signal(SIGKILL);
        wait();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    /// Waits until the condition holds; false if the command ended before.
    template <class Condition> bool runs_until(Condition condition) {
        const auto limit = std::chrono::steady_clock::now() + most;
        while (!condition()) {
            if (look(WNOHANG) || std::chrono::steady_clock::now() > limit)
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return true;
    }
    /// The memory in use, in pages.
    std::uint64_t pages() const {
        std::istringstream numbers{text_of("/proc/" + std::to_string(process_) + "/statm")};
        std::uint64_t all = 0, resident = 0;
        numbers >> all >> resident;
        return resident;
    }
    int process() const { return process_; }
    void signal(int number) const { ::kill(process_, number); }
    /// Waits for the end. Returns the exit code, or 128 + the number of the signal that ended it;
    /// 256 if it hung.
    int wait() {
        runs_until([] { return false; });
        if (!ended_) {
            signal(SIGKILL);
            look(0);
            status_ = -1;
        }
        if (status_ == -1)
            return 256;
        return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    }
    std::string out() const { return text_of(streams_.path("out")); }
    std::string err() const { return text_of(streams_.path("err")); }

private:
    bool look(int flags) {
        ended_ = ended_ || ::waitpid(process_, &status_, flags) == process_;
        return ended_;
    }

    static constexpr std::chrono::seconds most{120};
    Scratch streams_;
    pid_t process_ = -1;
    int status_ = 0;
    bool ended_ = false;
};

/// Runs the command on a terminal of its own, and records the terminal in the file 'seen' of its
/// folder.
class RunningOnTerminal : public Scratch, public Running {
public:
    explicit RunningOnTerminal(const std::string& arguments)
        : Running{arguments, Scratch::path(), R"(sh -c 'exec script -qefc "$*" seen' sh)"} {}

    std::string seen() const { return text_of(Scratch::path("seen")); }
    bool shows(const std::string& text) {
        return runs_until([&] { return contains(seen(), text); });
    }
};

} // namespace sme::test
