// SPDX-License-Identifier: Apache-2.0
//
// 1. the file is looked through
// 2. a process is made, which gives up all that it does not need (confine.hpp)
// 3. there the library reads the file and writes its text into a pipe
#include "fst/text_stream.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fst/api.hpp"
#include "fst/confine.hpp"
#include "fst/session.hpp"
#include "fst/structure.hpp"

namespace sme::fst {

namespace {

enum Exit { fine = 0, damaged = 1, no_memory = 2, endless = 3 };
constexpr int seconds_without_text = 20; // of computing

Session* watched = nullptr; // in the process that reads

void look_for_text(int) {
    static std::uint64_t before = ~std::uint64_t{0};
    if (std::exchange(before, watched->written_out()) == watched->written_out())
        ::_exit(endless);
}

Exit write_text(const std::string& path) {
    void* const reader = fstReaderOpen(path.c_str());
    std::FILE* const text = ::fdopen(text_at, "wb");
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
Exit read_file(const std::string& path, bool has_names) {
    Session session{[&](const char* wanted, const char*) -> std::FILE* {
        // names that lie beside a whole file belong to another, and are not open
        const int open = wanted == path                          ? file_at
                         : has_names && wanted == path + ".hier" ? names_at
                                                                 : -1;
        const int copy = open < 0 ? -1 : ::dup(open);
        if (copy < 0)
            return nullptr;
        ::lseek(copy, 0, SEEK_SET);
        return ::fdopen(copy, "rb");
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
        const int names = structure.finished ? -1 : ::open((path + ".hier").c_str(), O_RDONLY);
        confine({descriptor, ends[1], names}, static_cast<std::uint64_t>(status.st_size),
                look_for_text, seconds_without_text);
        ::_exit(read_file(path, names >= 0));
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
