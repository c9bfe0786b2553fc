// SPDX-License-Identifier: Apache-2.0
//
// 1. the file is looked through
// 2. a process is made, which gives up all that it does not need
// 3. there the library reads the file and writes its text into a pipe
#include "fst/text_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "fst/api.hpp"
#include "fst/session.hpp"
#include "fst/structure.hpp"

namespace sme::fst {

namespace {

enum Exit { fine = 0, damaged = 1, no_memory = 2, endless = 3 };
constexpr int seconds_without_text = 20; // of computing

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false; // a sanitizer takes terabytes of addresses
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool limits_memory = false;
#else
constexpr bool limits_memory = true;
#endif
#else
constexpr bool limits_memory = true;
#endif

Session* watched = nullptr; // in the process that reads

void look_for_text(int) {
    static std::uint64_t before = ~std::uint64_t{0};
    if (std::exchange(before, watched->written_out()) == watched->written_out())
        ::_exit(endless);
}

void set_limit(__rlimit_resource resource, rlim_t most) {
    const struct rlimit limit { most, most };
    ::setrlimit(resource, &limit);
}

/// Signals as a new program has them, except that those to the whole group are for the others.
void reset_signals() {
    for (int signal = 1; signal < NSIG; ++signal)
        std::signal(signal, SIG_DFL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        std::signal(signal, SIG_IGN);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Leaves the process two files: the one that is read is number 3 then, the pipe number 4.
void give_up_files(int file, int pipe) {
    const int low_file = ::fcntl(file, F_DUPFD, 10), low_pipe = ::fcntl(pipe, F_DUPFD, 10);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int k = 0; k < 3; ++k)
        ::dup2(nothing, k);
    ::dup2(low_file, 3);
    ::dup2(low_pipe, 4);
    ::close_range(5, ~0u, 0);
}

void give_up_rights(std::uint64_t file_bytes) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_NPROC, 0);
    if (limits_memory)
        set_limit(RLIMIT_DATA, (rlim_t{4} << 30) + 64 * file_bytes);
    struct sigaction action {};
    action.sa_handler = look_for_text;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGPROF, &action, nullptr);
    const struct itimerval every {
        {seconds_without_text, 0}, { seconds_without_text, 0 }
    };
    ::setitimer(ITIMER_PROF, &every, nullptr);
}

Exit write_text(const std::string& path) {
    void* const reader = fstReaderOpen(path.c_str());
    std::FILE* const text = ::fdopen(4, "wb");
    if (!reader || !text)
        return damaged;
    fstReaderSetVcdExtensions(reader, 1); // or comments are left out
    if (!fstReaderProcessHier(reader, text) || std::fflush(text) != 0)
        return damaged;
    fstReaderSetFacProcessMaskAll(reader); // all signals, of which it makes a list with the names
    if (!fstReaderIterBlocks(reader, nullptr, nullptr, text) || fstReaderGetFseekFailed(reader))
        return damaged;
    std::fprintf(
        text, "#%llu\n",
        static_cast<unsigned long long>(fstReaderGetEndTime(reader))); // or nothing says it
    return std::fflush(text) == 0 ? fine : damaged;
}

/// All that the process does.
Exit read_file(const std::string& path, bool finished) {
    Session session{[&](const char* wanted, const char*) -> std::FILE* {
        if (wanted == path) {
            ::lseek(3, 0, SEEK_SET);
            return ::fdopen(::dup(3), "rb");
        }
        // names that lie beside a whole file belong to another
        return !finished && wanted == path + ".hier" ? std::fopen(wanted, "rb") : nullptr;
    }};
    watched = &session;
    const Session::Use use{session};
    try {
        return write_text(path);
    } catch (const Session::Failure& failure) {
        return failure.error == ENOMEM ? no_memory : damaged;
    }
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
    ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); // the two processes wait for each other less often
    process_ = ::fork();
    if (process_ == 0) {
        reset_signals();
        give_up_files(descriptor, ends[1]);
        give_up_rights(static_cast<std::uint64_t>(status.st_size));
        ::_exit(read_file(path, structure.finished));
    }
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
        if (errno != EINTR) { // the program takes no notice of its children
            process_ = -1;
            return {};
        }
    process_ = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == fine)
        return {};
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_memory)
        return "it needs more memory than there is, or it is damaged";
    return "it is damaged";
}

} // namespace sme::fst
