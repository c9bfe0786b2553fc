// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <sys/wait.h>

#include "base/test/scratch.hpp"

namespace sme::test {

/// Runs the command (or any program, with its path) through a shell and waits for its end.
struct Command {
    enum Program { sme, any_program };
    int exit_code = -1;
    std::string out;
    std::string err;

    explicit Command(const std::string& line, Program program = sme) {
        const Scratch scratch;
        const std::string command = (program == sme ? SME_COMMAND " " : "") + line;
        const std::string whole = "( " + command + " ) >" + scratch.path("out") + " 2>" +
                                  scratch.path("err") + " </dev/null";
        const int status = std::system(whole.c_str());
        exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        out = text_of(scratch.path("out"));
        err = text_of(scratch.path("err"));
    }
};

/// Runs a shell line with any program, in a folder.
inline Command run_in(const Scratch& folder, const std::string& line) {
    return Command{"cd " + folder.path() + " && " + line, Command::any_program};
}
/// Runs the command with these arguments, in a folder.
inline Command sme_in(const Scratch& folder, const std::string& words) {
    return run_in(folder, SME_COMMAND " " + words);
}

/// A network 'talk' that counts x and prints `print` in each cycle.
inline std::string talking(const std::string& print) {
    return "network: talk\nbuses:\n  x: u8\nprocesses:\n  p:\n    out: x\n    step:\n"
           "      x: x + 1\n      print: " +
           print + "\n";
}

/// Replaces the first `from` in the text, which must contain it.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace sme::test
