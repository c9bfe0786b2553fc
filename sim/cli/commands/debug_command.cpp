// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/commands/dap_server.hpp"
#include "cli/commands/line_editor.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "debug/console.hpp"

namespace sme::cli {

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
        complain(Code::bad_option, "--dap takes its commands from the editor, not from --commands");
        return exit_code::usage;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> commands{
        options.commands.empty() ? nullptr : std::fopen(options.commands.c_str(), "re"),
        [](std::FILE* file) { return file ? std::fclose(file) : 0; }};
    if (!options.commands.empty() && !commands) {
        complain(Code::file_unreadable, fmt::format("cannot read '{}'", options.commands));
        return exit_code::file;
    }
    catch_signals(); // before loading, so that no half-built module stays
    Diagnostics diagnostics;
    if (options.strict)
        diagnostics.make_strict();
    const std::shared_ptr<FileAccess> files = file_access(options);
    session::Settings settings = load_settings(options, files);
    settings.purpose = verilator::Modules::Purpose::run;
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
