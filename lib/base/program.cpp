// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ; // POSIX wants it declared by the program

namespace sme {

namespace {

/// An open file, closed at the end.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_{number} {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    void set(int number) { number_ = number; }
    void close() {
        if (number_ >= 0)
            ::close(number_);
        number_ = -1;
    }

private:
    int number_;
};

/// What the program is started with: streams, and signals as they were before we caught them.
class SpawnSettings {
public:
    /// `apart`: it can be stopped with all that it starts.
    explicit SpawnSettings(bool apart) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        sigset_t signals;
        ::sigemptyset(&signals);
        for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ})
            ::sigaddset(&signals, number);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        const int group = apart ? POSIX_SPAWN_SETPGROUP : 0; // its own
        ::posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGDEF | group));
    }
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    void connect(int ours, int theirs) {
        ::posix_spawn_file_actions_adddup2(&actions_, ours, theirs);
    }
    int spawn(pid_t& process, const std::string& path, const std::vector<std::string>& arguments) {
        std::vector<std::string> texts{path};
        texts.insert(texts.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& text : texts)
            pointers.push_back(text.data());
        pointers.push_back(nullptr);
        return ::posix_spawn(&process, path.c_str(), &actions_, &attributes_, pointers.data(),
                             environ);
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// The text as a file in memory, to be read from its begin.
bool hold_text(std::string_view text, Descriptor& into) {
    into.set(::memfd_create("input", MFD_CLOEXEC));
    while (into.number() >= 0 && !text.empty()) {
        const ssize_t written = ::write(into.number(), text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return into.number() >= 0 && ::lseek(into.number(), 0, SEEK_SET) == 0;
}

/// Stops a program that takes too long.
class Watch {
public:
    Watch(pid_t process, const ProgramLimit* limit) : process_{process}, limit_{limit} {
        if (limit && limit->seconds > 0)
            end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(limit->seconds));
    }

    /// Whether it may go on; asked again and again.
    bool goes_on() {
        if (limit_ && !stopped_ &&
            (Clock::now() >= end_ || (limit_->unwanted && limit_->unwanted->load()))) {
            stopped_ = true;
            ::kill(-process_, SIGKILL);
        }
        return !stopped_;
    }
    bool stopped() const { return stopped_; }
    /// In milliseconds: until it is to be asked again.
    int pause() const { return limit_ ? 20 : -1; }

private:
    using Clock = std::chrono::steady_clock;
    pid_t process_;
    const ProgramLimit* limit_;
    Clock::time_point end_ = Clock::time_point::max();
    bool stopped_ = false;
};

std::string read_all(int descriptor, Watch& watch) {
    std::string text;
    std::array<char, 65536> block;
    while (watch.goes_on()) {
        pollfd wanted{descriptor, POLLIN, 0};
        if (::poll(&wanted, 1, watch.pause()) == 0)
            continue;
        const ssize_t got = ::read(descriptor, block.data(), block.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
    return text;
}

int wait_for(pid_t process, Watch& watch) {
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(process, &status, watch.pause() < 0 ? 0 : WNOHANG);
        if (ended > 0 || (ended < 0 && errno != EINTR))
            break;
        if (ended == 0 && watch.goes_on())
            ::poll(nullptr, 0, 1);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

namespace {

/// A pipe: its two ends.
bool open_pipe(Descriptor& out, Descriptor& in) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return false;
    out.set(pipe[0]);
    in.set(pipe[1]);
    return true;
}

} // namespace

ProgramEnd run_program(const std::string& path, const std::vector<std::string>& arguments,
                       ProgramStreams streams, std::string_view input, const ProgramLimit* limit) {
    ProgramEnd end;
    const auto fail = [&](int number) {
        end.problem = fmt::format("cannot run '{}': {}", path, std::strerror(number));
        return end;
    };
    SpawnSettings settings{limit != nullptr};
    Descriptor text, out, in;
    const bool listens = streams != ProgramStreams::ours;
    if (listens && (!hold_text(input, text) || !open_pipe(out, in)))
        return fail(errno);
    if (listens) {
        settings.connect(text.number(), STDIN_FILENO);
        settings.connect(in.number(), STDOUT_FILENO);
        if (streams == ProgramStreams::all_taken)
            settings.connect(in.number(), STDERR_FILENO);
    } else
        settings.connect(STDERR_FILENO, STDOUT_FILENO);
    pid_t process = 0;
    if (const int number = settings.spawn(process, path, arguments); number != 0)
        return fail(number);
    in.close(); // so that the end of what it prints is seen
    if (limit && limit->niceness != 0)
        ::setpriority(PRIO_PGRP, static_cast<id_t>(process), limit->niceness);
    Watch watch{process, limit};
    if (listens)
        end.output = read_all(out.number(), watch);
    end.exit_code = wait_for(process, watch);
    end.stopped = watch.stopped();
    return end;
}

} // namespace sme
