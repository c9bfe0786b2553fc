// SPDX-License-Identifier: Apache-2.0
//
// One thread reads, so that a pause request takes effect during a run. The other thread handles
// requests in order.
#include "cli/commands/dap_server.hpp"

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "cli/options.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "debug/adapter.hpp"
#include "debug/frames.hpp"

namespace sme::cli {

namespace {

/// The queue of requests that are read but not yet handled.
class Waiting {
public:
    void put(std::string message) {
        const std::lock_guard lock{mutex_};
        messages_.push_back(std::move(message));
        changed_.notify_one();
    }
    void end(std::string problem) {
        const std::lock_guard lock{mutex_};
        problem_ = std::move(problem);
        ended_ = true;
        changed_.notify_one();
    }
    /// Waits for a request. `nullopt` at the end of the input.
    std::optional<std::string> take() {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return ended_ || !messages_.empty(); });
        if (messages_.empty())
            return std::nullopt;
        std::string message = std::move(messages_.front());
        messages_.pop_front();
        return message;
    }
    const std::string& problem() const { return problem_; } ///< valid after the end

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> messages_;
    std::string problem_;
    bool ended_ = false;
};

void read_all(Waiting& waiting, std::atomic<bool>& interrupt) {
    debug::Frames frames;
    std::string block(1 << 16, '\0');
    while (frames.problem().empty() && !interrupted()) {
        constexpr int wait_ms =
            100; // ms until the next look for a signal, which another thread may have received
        struct pollfd input {
            STDIN_FILENO, POLLIN, 0
        };
        if (::poll(&input, 1, wait_ms) <= 0)
            continue;
        const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        frames.feed({block.data(), static_cast<std::size_t>(count)});
        while (std::optional<std::string> message = frames.next()) {
            if (debug::Adapter::interrupts(*message))
                interrupt = true;
            const bool last = debug::Adapter::is_last(*message);
            waiting.put(std::move(*message));
            if (last)
                return waiting.end({});
        }
    }
    interrupt = true; // the client has disconnected
    waiting.end(frames.problem());
}

} // namespace

int serve_dap(debug::Session& session, std::atomic<bool>& interrupt) {
    Waiting waiting;
    std::thread reader{[&] { read_all(waiting, interrupt); }};
    int error = 0;
    debug::Adapter adapter{session, interrupt, [&](const std::string& message) {
                               const std::string framed = debug::Frames::framed(message);
                               if (error == 0 && (std::fwrite(framed.data(), 1, framed.size(),
                                                              stdout) != framed.size() ||
                                                  std::fflush(stdout) != 0))
                                   error = errno;
                           }};
    while (const std::optional<std::string> message = waiting.take())
        adapter.handle(*message);
    reader.join();
    if (!waiting.problem().empty()) {
        complain(Code::bad_option, "--dap: " + waiting.problem());
        return exit_code::usage;
    }
    return error == 0 ? exit_code::fine : output_failed(error);
}

} // namespace sme::cli
