// SPDX-License-Identifier: Apache-2.0
//
// GTKWave's fst2vcd writes the text of a file into a pipe. It trusts the file: a damaged one makes
// it read any memory, or loop forever. So the blocks of the file are checked first, and the program
// has limits of memory and time.
#include "fst/text_stream.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fst/structure.hpp"

namespace sme::fst {

namespace {

/// Exit codes of the child process that runs fst2vcd.
enum Exit { fine = 0, damaged = 1, no_memory = 2, no_program = 4 };

void set_limit(__rlimit_resource resource, rlim_t most) {
    const struct rlimit limit { most, most };
    ::setrlimit(resource, &limit);
}

/// fst2vcd looks for names in a separate file with a derived name. An unfinished file has its names
/// there; next to a complete file, they would belong to another one, so fst2vcd reads a complete
/// file as /dev/fd/3.
[[noreturn]] void become_fst2vcd(int file, int text, const std::string& path, bool finished,
                                 std::uint64_t file_bytes) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    const int copy = ::fcntl(file, F_DUPFD, 10);
    ::dup2(text, STDOUT_FILENO);
    ::dup2(copy, 3);
    ::close_range(4, ~0u, 0);
    constexpr rlim_t seconds = 2, bytes_a_second = 20'000;
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, seconds + file_bytes / bytes_a_second);
    set_limit(RLIMIT_DATA, (rlim_t{4} << 30) + 64 * file_bytes);
    ::execlp("fst2vcd", "fst2vcd", "-e", "-f", finished ? "/dev/fd/3" : path.c_str(), nullptr);
    ::_exit(no_program);
}

/// Runs fst2vcd in this child process, and appends the last time to its text.
Exit write_text(int file, int text, const std::string& path, bool finished,
                std::uint64_t file_bytes, std::uint64_t last_time) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        std::signal(signal, SIG_IGN);
    const pid_t program = ::fork();
    if (program == 0)
        become_fst2vcd(file, text, path, finished, file_bytes);
    int status = 0;
    while (::waitpid(program, &status, 0) < 0)
        if (errno != EINTR)
            return no_memory; // no memory for a process
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return WIFEXITED(status) && WEXITSTATUS(status) == no_program ? no_program : damaged;
    if (last_time > 0) // fst2vcd stops at the last change
        ::dprintf(text, "#%llu\n", static_cast<unsigned long long>(last_time));
    return fine;
}

} // namespace

TextStream::TextStream(int descriptor, const std::string& path) {
    const Structure structure = check_structure(descriptor);
    if (!structure.problem.empty()) {
        problem_ = structure.problem;
        return;
    }
    struct stat status {};
    int ends[2] = {-1, -1};
    if (::fstat(descriptor, &status) != 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
        problem_ = std::strerror(errno);
        return;
    }
    ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); // fewer switches between the two processes
    process_ = ::fork();
    if (process_ == 0)
        ::_exit(write_text(descriptor, ends[1], path, structure.finished,
                           static_cast<std::uint64_t>(status.st_size), structure.last_time));
    if (process_ < 0)
        problem_ = std::strerror(errno);
    ::close(ends[1]);
    pipe_ = ends[0];
}

TextStream::~TextStream() {
    if (pipe_ >= 0)
        ::close(pipe_);
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        end();
    }
}

std::string TextStream::end() {
    int status = 0;
    if (process_ <= 0)
        return {};
    while (::waitpid(process_, &status, 0) < 0)
        if (errno != EINTR) { // the program ignores its children
            process_ = -1;
            return {};
        }
    process_ = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == fine)
        return {};
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_program)
        return "FST files are read by GTKWave's fst2vcd, which is not in PATH; install GTKWave "
               "(Debian: apt-get install gtkwave)";
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_memory)
        return "it needs more memory than there is, or it is damaged";
    return "it is damaged";
}

} // namespace sme::fst
