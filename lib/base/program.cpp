// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sme {

std::optional<std::string> find_program(const std::string& name) {
    const char* const path = std::getenv("PATH");
    std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!folders.empty()) {
        const std::size_t colon = folders.find(':');
        const std::string_view folder = folders.substr(0, colon);
        folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
        const std::string file = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
        struct stat found {};
        if (::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
            ::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return std::nullopt;
}

std::string running_program() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

} // namespace sme

extern "C" char** environ; // POSIX requires the program to declare it

namespace sme {

namespace {

/// An open file, closed by the destructor.
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

/// The start settings of the program: streams, and the signal dispositions from before we caught
/// signals.
class SpawnSettings {
public:
    /// `apart`: it can be stopped with everything it starts.
    explicit SpawnSettings(bool apart) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        sigset_t signals;
        ::sigemptyset(&signals);
        for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ})
            ::sigaddset(&signals, number);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        const int group = apart ? POSIX_SPAWN_SETPGROUP : 0; // a new group
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

/// Stores the text in an in-memory file, positioned at its start.
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

/// The process groups of running programs; 0: a free slot. A signal handler can access only this.
std::array<std::atomic<pid_t>, 256> groups{};

/// Registers a group in `groups` while it lives.
class Listed {
public:
    explicit Listed(pid_t group) {
        for (std::size_t k = 0; k < groups.size() && !place_; ++k)
            if (pid_t none = 0; groups[k].compare_exchange_strong(none, group))
                place_ = &groups[k];
    }
    ~Listed() {
        if (place_)
            place_->store(0);
    }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

private:
    std::atomic<pid_t>* place_ = nullptr;
};

bool is_unwanted(const ProgramLimit* limit) {
    return limit && limit->unwanted && limit->unwanted->load();
}

/// Stops a program that exceeds its limit or is no longer wanted: it and its descendants get a
/// short time to remove their files.
class Watch {
public:
    Watch(pid_t process, const ProgramLimit* limit) : process_{process}, limit_{limit} {
        if (limit)
            listed_.emplace(process);
        if (limit && limit->seconds > 0)
            end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(limit->seconds));
    }

    /// Sends the signals that are due; call it repeatedly.
    void look() {
        constexpr std::chrono::milliseconds last_words{300};
        const Clock::time_point now = Clock::now();
        if (!stopped_ && limit_ && (now >= end_ || is_unwanted(limit_))) {
            stopped_ = true;
            end_ = now + last_words;
            const int number = limit_->signal && is_unwanted(limit_) ? limit_->signal->load() : 0;
            ::kill(-process_, number > 0 ? number : SIGTERM);
            ::kill(-process_, SIGCONT); // a stopped process would not receive the signal
        } else if (stopped_ && !killed_ && now >= end_)
            kill();
    }
    /// Accounts for `bytes` more of output.
    void take(std::size_t bytes) {
        printed_ += bytes;
        if (limit_ && limit_->output_bytes > 0 && printed_ > limit_->output_bytes)
            end_ = std::min(end_, Clock::now());
    }
    void kill() {
        killed_ = true;
        ::kill(-process_, SIGKILL);
    }
    /// Call it before the process number can be reused.
    void forget() { listed_.reset(); }
    bool stopped() const { return stopped_; }
    bool killed() const { return killed_; }
    /// Returns the milliseconds until the next call of `look`; -1: no limit.
    int pause() const { return limit_ ? 20 : -1; }

private:
    using Clock = std::chrono::steady_clock;
    pid_t process_;
    const ProgramLimit* limit_;
    std::optional<Listed> listed_;
    Clock::time_point end_ = Clock::time_point::max();
    std::size_t printed_ = 0;
    bool stopped_ = false;
    bool killed_ = false;
};

/// Sets the resource limits, before the new program can start others.
void set_limits(pid_t process, const ProgramLimit& limit) {
    const auto set = [&](auto resource, std::uint64_t bytes) {
        const rlimit wanted{bytes, bytes};
        if (bytes > 0)
            ::prlimit(process, resource, &wanted, nullptr);
    };
    set(RLIMIT_AS, limit.memory_bytes);
    set(RLIMIT_FSIZE, limit.file_bytes);
}

std::string read_all(int descriptor, Watch& watch) {
    std::string text;
    std::array<char, 65536> block;
    for (watch.look(); !watch.killed(); watch.look()) {
        pollfd wanted{descriptor, POLLIN, 0};
        if (::poll(&wanted, 1, watch.pause()) <= 0) // a read would block beyond the limit
            continue;
        const ssize_t got = ::read(descriptor, block.data(), block.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text.append(block.data(), static_cast<std::size_t>(got));
        watch.take(static_cast<std::size_t>(got));
    }
    return text;
}

int wait_for(pid_t process, Watch& watch) {
    const int flags = WEXITED | WNOWAIT | (watch.pause() < 0 ? 0 : WNOHANG);
    siginfo_t ended{};
    for (int pause = 1; ended.si_pid == 0; pause = std::min(2 * pause, watch.pause())) {
        if (::waitid(P_PID, static_cast<id_t>(process), &ended, flags) != 0 && errno != EINTR)
            break;
        watch.look();
        if (ended.si_pid == 0 && watch.pause() >= 0)
            ::poll(nullptr, 0, pause);
    }
    if (watch.stopped())
        watch.kill(); // its descendants; its number is not reused until we have waited for it
    watch.forget();
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

namespace {

/// Opens a pipe with its two ends.
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
    if (is_unwanted(limit)) {
        end.stopped = true;
        end.exit_code = 128 + SIGTERM;
        return end;
    }
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
    in.close(); // otherwise the end of its output is never seen
    if (limit)
        set_limits(process, *limit);
    if (limit && limit->niceness != 0)
        ::setpriority(PRIO_PGRP, static_cast<id_t>(process), limit->niceness);
    Watch watch{process, limit};
    if (listens)
        end.output = read_all(out.number(), watch);
    end.exit_code = wait_for(process, watch);
    end.stopped = watch.stopped();
    return end;
}

void kill_programs() {
    for (const std::atomic<pid_t>& group : groups)
        if (const pid_t process = group.load(); process > 0)
            ::kill(-process, SIGKILL);
}

} // namespace sme
