// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "debug/session.hpp"
#include "debug/values.hpp"

namespace sme::debug {

/// Takes commands as lines of text and returns answers as text, the same for a terminal and a file.
class Console {
public:
    /// A running command ends when `interrupt` becomes true.
    Console(Session& session, const std::atomic<bool>& interrupt)
        : session_{session}, interrupt_{interrupt} {}

    /// Carries out a command; an empty line repeats the last command that moved. The answer ends
    /// with a line end, or is empty.
    std::string execute(const std::string& line);
    bool has_quit() const { return quit_; }
    /// True if any command was wrong.
    bool has_failed() const { return failed_; }
    /// The text before the first command.
    std::string greeting() const;
    /// Completions of the last word of a line, as whole words.
    std::vector<std::string> completions(const std::string& line) const;

private:
    struct Command {
        const char* name;
        const char* arguments;
        const char* help;
        std::string (Console::*carry_out)(const std::string& rest);
        bool repeats; // an empty line repeats it
    };
    static const std::vector<Command>& commands();
    static const Command* find(const std::string& name);

    std::string step(const std::string& rest);
    std::string go_on(const std::string& rest);
    std::string until(const std::string& rest);
    std::string to(const std::string& rest);
    std::string back(const std::string& rest);
    std::string add_break(const std::string& rest);
    std::string watch(const std::string& rest);
    std::string remove(const std::string& rest);
    std::string show(const std::string& rest);
    std::string states(const std::string& rest);
    std::string memories(const std::string& rest);
    std::string print(const std::string& rest);
    std::string process(const std::string& rest);
    std::string who(const std::string& rest);
    std::string set(const std::string& rest);
    std::string info(const std::string& rest);
    std::string help(const std::string& rest);
    std::string quit(const std::string& rest);

    std::string fail(const std::string& text);
    std::string fail(const Diagnostics& diagnostics);
    std::string hint_of_local(const Diagnostic& found) const;
    std::string after(const Stop& stop);
    std::string place() const;
    std::string row(const std::string& name, const Type& type, const std::byte* now,
                    const std::byte* next, std::size_t name_width, std::size_t type_width) const;
    std::string part(const std::string& name);
    std::string rows(const std::vector<std::uint64_t>& elements) const;
    std::string of_buses(const std::string& rest, bool states);
    std::string words(const MemoryPlace& place, const std::string& name) const;
    std::string take_radix(const std::string& rest);

    Session& session_;
    const std::atomic<bool>& interrupt_;
    Radix radix_ = Radix::decimal; // of the current command
    std::string last_;             // the command that an empty line repeats
    bool quit_ = false;
    bool failed_ = false;
};

} // namespace sme::debug
