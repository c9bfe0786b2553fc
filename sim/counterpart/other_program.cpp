// SPDX-License-Identifier: Apache-2.0
#include "counterpart/other_program.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char** environ; // POSIX wants it declared by the program

namespace sme::counterpart {

OtherProgram::OtherProgram(const std::string& path, std::size_t input_bytes,
                           std::size_t output_bytes, const std::atomic<bool>* unwanted)
    : inputs(input_bytes), outputs(output_bytes), unwanted_{unwanted} {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        text = std::strerror(errno);
        return;
    }
    line_ = ends[0];
    constexpr int theirs = 3;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    if (ends[1] == theirs) // dup2 onto itself would leave it to be closed
        ::fcntl(ends[1], F_SETFD, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], theirs);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO); // it is no result
    std::string name = path;
    char* arguments[] = {name.data(), nullptr};
    char quiet[] = "SC_COPYRIGHT_MESSAGE=DISABLE";
    std::vector<char*> variables{quiet};
    for (char** each = environ; *each; ++each)
        variables.push_back(*each);
    variables.push_back(nullptr);
    const int error =
        ::posix_spawn(&process_, path.c_str(), &actions, nullptr, arguments, variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0) {
        process_ = -1;
        text = std::strerror(error);
    }
}

OtherProgram::~OtherProgram() {
    if (line_ >= 0)
        ::close(line_); // it ends then
    if (process_ <= 0)
        return;
    constexpr int most_looks = 50;
    for (int k = 0; k < most_looks; ++k) {
        if (::waitpid(process_, nullptr, WNOHANG) != 0)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds{k < 10 ? 1 : 10});
    }
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
}

bool OtherProgram::take(void* into, std::size_t bytes) {
    auto* to = static_cast<char*>(into);
    constexpr int look_ms = 200;
    while (bytes > 0) {
        const ssize_t got = ::recv(line_, to, bytes, MSG_DONTWAIT);
        if (got > 0) {
            to += got;
            bytes -= static_cast<std::size_t>(got);
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return false;
        if (unwanted_ && unwanted_->load(std::memory_order_relaxed))
            return false;
        pollfd look{line_, POLLIN, 0};
        ::poll(&look, 1, look_ms);
    }
    return true;
}

OtherProgram::Said OtherProgram::gone() {
    if (unwanted_ && unwanted_->load(std::memory_order_relaxed)) {
        text = "it was interrupted";
        return Said::gone;
    }
    int status = 0;
    if (process_ > 0 && ::waitpid(process_, &status, 0) == process_) {
        process_ = -1;
        text = WIFSIGNALED(status)
                   ? fmt::format("its program was ended by signal {} ({})", WTERMSIG(status),
                                 ::strsignal(WTERMSIG(status)))
                   : fmt::format("its program ended with exit code {}", WEXITSTATUS(status));
    }
    return Said::gone;
}

OtherProgram::Said OtherProgram::listen() {
    if (process_ <= 0)
        return Said::gone;
    std::uint8_t what = 0;
    if (!take(&what, 1))
        return gone();
    if (what <= 1)
        return take(outputs.data(), outputs.size()) ? static_cast<Said>(what) : gone();
    std::uint32_t length = 0;
    if (!take(&length, sizeof length))
        return gone();
    constexpr std::uint32_t longest = 1 << 20;
    text.assign(std::min(length, longest), ' ');
    return take(text.data(), text.size()) ? static_cast<Said>(what) : gone();
}

void OtherProgram::send(std::uint64_t cycle) {
    std::vector<std::byte> message(sizeof cycle + inputs.size());
    std::memcpy(message.data(), &cycle, sizeof cycle);
    std::memcpy(message.data() + sizeof cycle, inputs.data(), inputs.size());
    std::size_t done = 0;
    while (done < message.size()) {
        const ssize_t sent =
            ::send(line_, message.data() + done, message.size() - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return; // it is gone, as will be heard
        done += static_cast<std::size_t>(sent);
    }
}

} // namespace sme::counterpart
