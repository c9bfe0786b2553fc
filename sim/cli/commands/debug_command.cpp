// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>

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

// A signal handler can reach nothing else.
std::atomic<bool> stop_running{false};

/// Ctrl-C ends what runs, and not the command.
void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_running.store(true); };
    ::sigaction(SIGINT, &action, nullptr);
}

bool answer(const std::string& text) {
    const std::string shown = shown_text(text);
    return std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() &&
           std::fflush(stdout) == 0;
}

/// Each line of a file or a pipe.
int carry_out_all(debug::Console& console, std::istream& commands) {
    std::string line;
    for (bool first = true; !console.has_quit() && std::getline(commands, line); first = false) {
        if (first && line.starts_with(byte_order_mark))
            line.erase(0, byte_order_mark.size());
        const std::string text = console.execute(line);
        stop_running = false; // it has ended what ran
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
    while (good && !console.has_quit()) {
        stop_running = false;
        const std::optional<std::string> line = editor.read("(sme) ");
        if (!line && !stop_running) {
            good = answer("\n");
            break;
        }
        stop_running = false;
        good = answer(line ? console.execute(*line) : "\n");
    }
    return good ? exit_code::fine : output_failed(errno);
}

} // namespace

int debug_command(const Options& options) {
    if (options.dap && !options.commands.empty()) {
        complain(Code::bad_option, "--dap takes its commands from the editor, not from --commands");
        return exit_code::usage;
    }
    std::ifstream commands;
    if (!options.commands.empty()) {
        commands.open(options.commands);
        if (!commands) {
            complain(Code::file_unreadable, fmt::format("cannot read '{}'", options.commands));
            return exit_code::file;
        }
    }
    catch_signals(); // nothing half-built stays
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
    catch_interrupts();
    if (options.dap)
        return serve_dap(session, stop_running);
    debug::Console console{session, stop_running};
    if (!options.commands.empty())
        return carry_out_all(console, commands);
    return ::isatty(STDIN_FILENO) != 0 ? talk(console) : carry_out_all(console, std::cin);
}

} // namespace sme::cli
