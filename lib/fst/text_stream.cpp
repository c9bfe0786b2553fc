// SPDX-License-Identifier: Apache-2.0
//
// 1. the file is looked through
// 2. in a process of its own the library reads the file, or another program does, and writes its
// text
//    into a pipe
#include "fst/text_stream.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fst/read_process.hpp"
#include "fst/structure.hpp"

namespace sme::fst {

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
        const auto bytes = static_cast<std::uint64_t>(status.st_size);
        ::_exit(write_as_text({descriptor, ends[1], names}, path, bytes));
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
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_program)
        return "here GTKWave's fst2vcd reads FST files, and there is none; install GTKWave "
               "(Debian: apt-get install gtkwave)";
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_memory)
        return "it needs more memory than there is, or it is damaged";
    return "it is damaged";
}

} // namespace sme::fst
