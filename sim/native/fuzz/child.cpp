// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/child.hpp"

#include <csignal>
#include <fstream>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test/scratch.hpp"

namespace sme::fuzz {

std::string said_by_child(const std::function<std::string()>& say, const std::string& file) {
    const pid_t child = ::fork();
    if (child < 0)
        return "there is no process to run it in";
    if (child == 0) {
        for (const int signal : {SIGILL, SIGTRAP, SIGFPE, SIGSEGV, SIGBUS, SIGABRT})
            std::signal(signal, SIG_DFL); // replaces the handler of the test framework
        std::ofstream{file} << say();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        return fmt::format("signal {} ended it", WTERMSIG(status));
    return status == 0 ? test::text_of(file) : fmt::format("it ended with {}", status);
}

} // namespace sme::fuzz
