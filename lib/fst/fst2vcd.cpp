// SPDX-License-Identifier: Apache-2.0
//
// Without a library that reads, GTKWave's program does. It looks for names in a file beside the one
// that it reads: those of a file that is not finished are there, and beside a whole file are those
// of another.
#include <cerrno>
#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fst/read_process.hpp"
#include "fst/structure.hpp"

namespace sme::fst {

namespace {

void set_limit(__rlimit_resource resource, rlim_t most) {
    const struct rlimit limit { most, most };
    ::setrlimit(resource, &limit);
}

/// It trusts the file: a damaged one makes it read anywhere, or for ever.
[[noreturn]] void become_fst2vcd(const std::array<int, 3>& files, const std::string& path,
                                 std::uint64_t file_bytes) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    const int file = ::fcntl(files[0], F_DUPFD, 10);
    ::dup2(files[1], STDOUT_FILENO);
    ::dup2(file, 3);
    ::close_range(4, ~0u, 0);
    constexpr rlim_t seconds = 2, bytes_a_second = 20'000;
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, seconds + file_bytes / bytes_a_second);
    set_limit(RLIMIT_DATA, (rlim_t{4} << 30) + 64 * file_bytes);
    ::execlp("fst2vcd", "fst2vcd", "-e", "-f", files[2] < 0 ? "/dev/fd/3" : path.c_str(), nullptr);
    ::_exit(no_program);
}

} // namespace

Exit write_as_text(const std::array<int, 3>& files, const std::string& path,
                   std::uint64_t file_bytes) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        std::signal(signal, SIG_IGN);
    const pid_t program = ::fork();
    if (program == 0)
        become_fst2vcd(files, path, file_bytes);
    int status = 0;
    while (::waitpid(program, &status, 0) < 0)
        if (errno != EINTR)
            return no_memory; // for a process
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return WIFEXITED(status) && WEXITSTATUS(status) == no_program ? no_program : damaged;
    const int written = ::dprintf(files[1], "#%llu\n", // or nothing says it
                                  static_cast<unsigned long long>(last_time(files[0])));
    return written > 0 ? fine : damaged;
}

} // namespace sme::fst
