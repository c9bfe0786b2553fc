// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
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
    SpawnSettings() {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        sigset_t signals;
        ::sigemptyset(&signals);
        for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ})
            ::sigaddset(&signals, number);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
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

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 65536> block;
    while (true) {
        const ssize_t got = ::read(descriptor, block.data(), block.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
}

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
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
                       ProgramStreams streams, std::string_view input) {
    ProgramEnd end;
    const auto fail = [&](int number) {
        end.problem = fmt::format("cannot run '{}': {}", path, std::strerror(number));
        return end;
    };
    SpawnSettings settings;
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
    if (listens)
        end.output = read_all(out.number());
    end.exit_code = wait_for(process);
    return end;
}

} // namespace sme
