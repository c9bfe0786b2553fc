// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <system_error>

#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/program.hpp"
#include "bits/integer.hpp"

namespace sme::cli {

namespace {

// Global, because a signal handler reaches only globals.
std::atomic<bool> seen{false};
std::atomic<int> signal_number{0};

std::atomic<std::int64_t> first_signal_ns{0};

void on_signal(int number) {
    // some senders (timeout) signal both the process and its group: that counts as one request
    constexpr std::int64_t same_request_ns = 500'000'000;
    struct timespec now {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t now_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    int none = 0;
    if (signal_number.compare_exchange_strong(none, number)) {
        first_signal_ns.store(now_ns, std::memory_order_relaxed);
        seen.store(true); // after its number is stored
    } else if (now_ns - first_signal_ns.load(std::memory_order_relaxed) > same_request_ns) {
        kill_programs(); // the programs that we started have their own process groups
        std::signal(number, SIG_DFL);
        std::raise(number);
    }
}

/// Installs the handler of SIGTERM and SIGHUP; keeps SIGHUP ignored under nohup.
void handle_requests_to_end(const struct sigaction& action) {
    ::sigaction(SIGTERM, &action, nullptr);
    struct sigaction before {};
    if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
        ::sigaction(SIGHUP, &action, nullptr);
}

} // namespace

void catch_signals() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    handle_requests_to_end(action);
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is then a write error
    std::signal(SIGXFSZ, SIG_IGN);
}

void interrupt_waiting(void (*on_interrupt)(int)) {
    // Without SA_RESTART, a blocking call returns on a signal. A call that blocks just after the
    // signal is interrupted by the next tick.
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGALRM, &action, nullptr);
    action.sa_handler = [](int number) {
        on_signal(number);
        constexpr struct itimerval ticks {
            {0, 50'000}, { 0, 1 }
        };
        ::setitimer(ITIMER_REAL, &ticks, nullptr);
    };
    handle_requests_to_end(action);
}

const std::atomic<bool>& interrupted() {
    return seen;
}

const std::atomic<int>& interrupted_by() {
    return signal_number;
}

int signal_exit_code() {
    return 128 + signal_number.load();
}

namespace {

thread_local std::string* capture = nullptr;

} // namespace

CapturedOutput::CapturedOutput() : outer_{capture} {
    capture = &text_;
}

CapturedOutput::~CapturedOutput() {
    capture = outer_;
}

int print_output(std::string_view text) {
    if (capture)
        capture->append(text);
    else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        return errno;
    return 0;
}

int flush_output() {
    return capture || std::fflush(stdout) == 0 ? 0 : errno;
}

bool try_print_error(std::string_view text) {
    if (capture)
        capture->append(text);
    return capture || std::fwrite(text.data(), 1, text.size(), stderr) == text.size();
}

void print_error(std::string_view text) {
    if (!try_print_error(text))
        throw std::system_error{errno, std::generic_category()};
}

bool is_terminal(int descriptor) {
    return !capture && ::isatty(descriptor) == 1;
}

std::size_t output_columns() {
    constexpr std::size_t least = 20, usual = 80, most = 100'000;
    if (const char* const given = std::getenv("COLUMNS"))
        if (const auto columns = parse_integer(given); columns && *columns > 0)
            return static_cast<std::size_t>(std::clamp<Integer>(*columns, least, most));
    struct winsize window {};
    if (!capture && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return std::max<std::size_t>(window.ws_col, least);
    return usual;
}

std::size_t output_lines() {
    constexpr std::size_t usual = 24;
    struct winsize window {};
    const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0;
    return known ? window.ws_row : usual;
}

bool output_takes_unicode() {
    if (!is_terminal(STDOUT_FILENO))
        return true;
    for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) // in the order of POSIX
        if (const char* const value = std::getenv(name); value && *value != '\0') {
            std::string locale{value};
            std::transform(locale.begin(), locale.end(), locale.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            return locale.find("utf-8") != std::string::npos ||
                   locale.find("utf8") != std::string::npos;
        }
    return false;
}

} // namespace sme::cli
