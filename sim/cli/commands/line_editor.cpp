// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/line_editor.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <editline/readline.h>

namespace sme::cli {

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

} // namespace sme::cli
