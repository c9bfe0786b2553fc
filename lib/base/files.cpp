// SPDX-License-Identifier: Apache-2.0
#include "base/files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace sme {

namespace {

constexpr std::size_t buffer_bytes = 1 << 18;

std::string reason() {
    return std::strerror(errno);
}

/// Reads until the end or one byte past the limit.
bool read_all(int descriptor, std::size_t limit_bytes, std::string& text) {
    char chunk[1 << 16];
    while (text.size() <= limit_bytes) {
        const ssize_t got = ::read(descriptor, chunk, sizeof chunk);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        if (got > 0)
            text.append(chunk, static_cast<std::size_t>(got));
    }
    return true;
}

} // namespace

FileText read_file(const std::string& path, std::size_t limit_bytes) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return {std::nullopt, reason(), false};
    FileText result;
    struct stat status {};
    std::string text;
    if (::fstat(descriptor, &status) != 0)
        result.problem = reason();
    else if (!S_ISREG(status.st_mode))
        result.problem = S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
    else if (!read_all(descriptor, limit_bytes, text))
        result.problem = reason();
    else if (text.size() > limit_bytes) {
        result.problem = fmt::format("it is larger than {} bytes", limit_bytes);
        result.too_large = true;
    } else
        result.text = std::move(text);
    ::close(descriptor);
    return result;
}

OutputFile::OutputFile(std::string path) : path_{std::move(path)} {
    struct stat status {};
    in_place_ = ::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    part_path_ = in_place_ ? path_ : path_ + ".part";
    buffer_.reserve(buffer_bytes); // before there is anything to remove
    const int flags = O_WRONLY | O_CLOEXEC | (in_place_ ? 0 : O_CREAT | O_TRUNC);
    descriptor_ = ::open(part_path_.c_str(), flags, 0666);
    if (descriptor_ < 0)
        fail("open");
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0)
        return;
    ::close(descriptor_);
    remove_part();
}

bool OutputFile::write(std::string_view bytes) {
    if (!good())
        return false;
    while (bytes.size() > buffer_bytes - buffer_.size()) { // never more than was reserved
        const std::size_t fits = buffer_bytes - buffer_.size();
        buffer_.append(bytes.substr(0, fits));
        bytes.remove_prefix(fits);
        if (!flush())
            return false;
    }
    buffer_.append(bytes);
    return true;
}

bool OutputFile::commit() {
    if (!flush())
        return false;
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || (!in_place_ && std::rename(part_path_.c_str(), path_.c_str()) != 0)) {
        fail("finish");
        remove_part();
    }
    return good();
}

bool OutputFile::sync() {
    if (!flush())
        return false;
    if (!in_place_ && ::fsync(descriptor_) != 0)
        fail("finish");
    return good();
}

bool OutputFile::flush() {
    if (!good())
        return false;
    std::size_t done = 0;
    while (done < buffer_.size()) {
        const ssize_t wrote = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0) {
            const int why = errno;
            count(done);
            errno = why;
            fail("write");
            return false;
        }
        done += static_cast<std::size_t>(wrote);
    }
    count(done);
    buffer_.clear();
    return true;
}

/// The first bytes of the buffer are written.
void OutputFile::count(std::size_t bytes) {
    if (const std::size_t end = std::string_view{buffer_}.substr(0, bytes).rfind('\n');
        end != std::string_view::npos)
        lines_bytes_ = written_bytes_ + end + 1;
    written_bytes_ += bytes;
}

void OutputFile::abandon() {
    if (!good() || !flush())
        return;
    problem_ = fmt::format("'{}' is not finished", path_);
    note_kept();
}

void OutputFile::fail(const char* action) {
    problem_ = fmt::format("cannot {} '{}': {}", action, path_, reason());
    note_kept();
}

void OutputFile::note_kept() {
    if (!kept())
        return;
    const bool cut = descriptor_ < 0 || // closed: whole
                     ::ftruncate(descriptor_, static_cast<off_t>(lines_bytes_)) == 0;
    problem_ += fmt::format("; what was written before is in '{}'{}", part_path_,
                            cut ? "" : ", its last line cut");
}

void OutputFile::remove_part() const {
    if (!in_place_ && !kept())
        ::unlink(part_path_.c_str());
}

} // namespace sme
