// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <editline/readline.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/terminal.hpp"
#include "debug/adapter.hpp"
#include "debug/console.hpp"
#include "debug/lines.hpp"
#include "debug/session.hpp"

namespace sme::cli {

/// Reads lines that a user types at a terminal, with history and completion. Only one may exist at
/// a time, because the library keeps its state in globals.
class LineEditor {
public:
    using Complete = std::function<std::vector<std::string>(const std::string& line)>;

    /// `history`: the file with the lines of earlier sessions; empty: no history. `complete`
    /// returns the completions of the last word of a line.
    LineEditor(std::string history, Complete complete);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// Reads a line; `nullopt` at the end of the input.
    std::optional<std::string> read(const std::string& prompt);

private:
    std::string history_;
};

/// Speaks the Debug Adapter Protocol on standard input and output until the client disconnects or
/// its pipe closes. `interrupt` ends a run. Returns the exit code.
int serve_dap(debug::Session& session, std::atomic<bool>& interrupt);

namespace {

// Global, because the library calls functions that receive only the word.
LineEditor::Complete complete_line;
std::vector<std::string> offered;

/// Returns the next offer; `begun` == 0 restarts at the first. The library frees the memory.
char* next_offer(const char*, int begun) {
    static std::size_t next = 0;
    next = begun == 0 ? 0 : next + 1;
    return next < offered.size() ? ::strdup(offered[next].c_str()) : nullptr;
}

char** offers(const char* word, int, int end) {
    rl_attempted_completion_over = 1; // do not complete file names
    offered = complete_line(std::string{rl_line_buffer}.substr(0, static_cast<std::size_t>(end)));
    return rl_completion_matches(word, next_offer);
}

} // namespace

LineEditor::LineEditor(std::string history, Complete complete) : history_{std::move(history)} {
    complete_line = std::move(complete);
    static char name[] = "sme";
    static const char breaks[] = " \t(=";
    rl_readline_name = name;
    rl_completer_word_break_characters =
        const_cast<decltype(rl_completer_word_break_characters)>(static_cast<const char*>(breaks));
    rl_attempted_completion_function = offers;
    using_history();
    stifle_history(1000);
    if (!history_.empty()) {
        std::error_code error;
        std::filesystem::create_directories(std::filesystem::path{history_}.parent_path(), error);
        read_history(history_.c_str()); // does not exist in the first session
    }
}

LineEditor::~LineEditor() {
    if (!history_.empty())
        write_history(history_.c_str()); // a failure only loses the history
    complete_line = nullptr;
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
    const std::unique_ptr<char, decltype(&std::free)> line{readline(prompt.c_str()), &std::free};
    if (!line)
        return std::nullopt;
    if (*line != '\0')
        add_history(line.get());
    return std::string{line.get()};
}

// One thread reads, so that a pause request takes effect during a run. The other thread handles
// requests in order.

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
        report_error(Code::bad_option, "--dap: " + waiting.problem());
        return exit_code::usage;
    }
    return error == 0 ? exit_code::fine : output_failed(error);
}

namespace {

// Global, because a signal handler reaches only globals.
std::atomic<bool> stop_running{false};

bool answer(const std::string& text) {
    const std::string shown = shown_text(text);
    return std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() &&
           std::fflush(stdout) == 0;
}

/// Reads the next line, without its end. `nullopt` at the end of the input, and after a signal that
/// ends the command.
std::optional<std::string> next_line(std::FILE* commands) {
    std::string line;
    for (;;) {
        const int byte = std::getc(commands);
        if (byte == '\n')
            return line;
        if (byte != EOF)
            line += static_cast<char>(byte);
        else if (std::ferror(commands) != 0 && errno == EINTR && !interrupted())
            std::clearerr(commands); // Ctrl-C while no run is active
        else
            return line.empty() || interrupted() ? std::nullopt : std::optional{line};
    }
}

/// Carries out each line of a file or a pipe.
int carry_out_all(debug::Console& console, std::FILE* commands) {
    for (bool first = true; !console.has_quit(); first = false) {
        std::optional<std::string> line = next_line(commands);
        if (!line)
            break;
        if (first && line->starts_with(byte_order_mark))
            line->erase(0, byte_order_mark.size());
        const std::string text = console.execute(*line);
        stop_running = false; // already ended the current run
        if (!answer(text))
            return output_failed(errno);
    }
    return console.has_failed() ? exit_code::usage : exit_code::fine;
}

int talk(debug::Console& console) {
    const std::string folder = session::cache_folder("debug");
    LineEditor editor{folder.empty() ? folder : folder + "/history",
                      [&](const std::string& line) { return console.completions(line); }};
    bool good = answer(console.greeting());
    while (good && !console.has_quit() && !interrupted()) {
        stop_running = false;
        const std::optional<std::string> line = editor.read("(sme) ");
        if (interrupted())
            break;
        if (!line && !stop_running) {
            good = answer("\n");
            break;
        }
        stop_running = false;
        good = answer(line ? console.execute(*line) : "\n");
    }
    return good ? exit_code::fine : output_failed(errno);
}

int converse(debug::Session& session, const Options& options, std::FILE* commands) {
    if (options.dap)
        return serve_dap(session, stop_running);
    debug::Console console{session, stop_running};
    return commands == stdin && ::isatty(STDIN_FILENO) != 0 ? talk(console)
                                                            : carry_out_all(console, commands);
}

} // namespace

int debug_command(const Options& options) {
    if (options.dap && !options.commands.empty()) {
        report_error(Code::bad_option,
                     "--dap takes its commands from the editor, not from --commands");
        return exit_code::usage;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> commands{
        options.commands.empty() ? nullptr : std::fopen(options.commands.c_str(), "re"),
        [](std::FILE* file) { return file ? std::fclose(file) : 0; }};
    if (!options.commands.empty() && !commands) {
        report_error(Code::file_unreadable, fmt::format("cannot read '{}'", options.commands));
        return exit_code::file;
    }
    catch_signals(); // before loading, so that no half-built module stays
    Diagnostics diagnostics;
    if (options.strict)
        diagnostics.make_strict();
    const std::shared_ptr<FileAccess> files = file_access(options);
    session::LoadSettings settings;
    add_options(options, files, VerilogModules::Purpose::run, settings);
    debug::Machine machine{options.network, std::move(settings)};
    const bool is_open = machine.open(diagnostics);
    show(diagnostics);
    if (!is_open)
        return load_failure(diagnostics);
    debug::Session session{machine, options.network, cycles_to_run(options, machine.loaded())};
    if (interrupted())
        return signal_exit_code();
    interrupt_waiting([](int) { stop_running.store(true); });
    const int code = converse(session, options, commands ? commands.get() : stdin);
    return interrupted() ? signal_exit_code() : code;
}

} // namespace sme::cli
