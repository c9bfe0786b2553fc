// SPDX-License-Identifier: Apache-2.0
#include "base/files.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
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

/// Returns the open file of this process that a path names. The descriptor is shared: a new open
/// would start writing at the beginning.
std::optional<int> own_descriptor(std::string_view path) {
    if (path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
        if (path.starts_with(folder)) {
            int number = 0;
            const char* const end = path.data() + path.size();
            const auto [stopped, error] = std::from_chars(path.data() + folder.size(), end, number);
            if (error == std::errc{} && stopped == end)
                return number;
        }
    return std::nullopt;
}

/// Returns whether a path, without following a link, names the open file.
bool is_at(const std::string& path, int descriptor) {
    struct stat open {};
    struct stat there {};
    return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &there) == 0 &&
           open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

/// Returns false if another open file holds the lock. On a file system without locks, always
/// succeeds.
bool lock(int descriptor) {
    int result = 0;
    do
        result = ::flock(descriptor, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result == 0 || errno != EWOULDBLOCK;
}

/// The `path.part` that an earlier run left, locked while this object lives.
class LeftPart {
public:
    explicit LeftPart(const std::string& path) {
        descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        struct stat status {};
        if (descriptor_ < 0 && errno == ENOENT)
            return;
        if (descriptor_ < 0 && errno == ELOOP)
            problem_ = fmt::format("'{}' is a link; remove it", path);
        else if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
            problem_ = fmt::format("'{}': {}", path, reason());
        else if (!S_ISREG(status.st_mode))
            problem_ = fmt::format("'{}' is not a regular file; remove it", path);
        else if (in_use_ = !lock(descriptor_); in_use_)
            problem_ = fmt::format("another run writes it now, into '{}'", path);
        else
            usable_ = is_at(path, descriptor_);
    }
    ~LeftPart() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    LeftPart(const LeftPart&) = delete;
    LeftPart& operator=(const LeftPart&) = delete;

    /// Returns true if it exists and no run is writing it.
    bool usable() const { return usable_; }
    bool in_use() const { return in_use_; }
    /// Returns why it can be neither used nor replaced; also empty if it has just disappeared.
    const std::string& problem() const { return problem_; }

private:
    int descriptor_ = -1;
    bool usable_ = false;
    bool in_use_ = false;
    std::string problem_;
};

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

FileText read_text(const std::string& path, std::size_t limit_bytes) {
    FileText result = read_file(path, limit_bytes);
    if (!result.text)
        return result;
    if (result.text->starts_with(byte_order_mark))
        result.text->erase(0, byte_order_mark.size());
    else if (result.text->starts_with("\xff\xfe") || result.text->starts_with("\xfe\xff"))
        result = {std::nullopt, "it is written in UTF-16; save it as UTF-8", false};
    return result;
}

bool is_written_in_place(const std::string& path) {
    struct stat status {};
    return own_descriptor(path) || (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

OutputFile::OutputFile(std::string path, std::string_view part) : path_{std::move(path)} {
    in_place_ = is_written_in_place(path_);
    part_path_ = in_place_ ? path_ : path_ + std::string{part};
    buffer_.reserve(buffer_bytes); // allocate before there is a file to remove
    if (in_place_)
        open_in_place();
    else
        open_part();
}

void OutputFile::open_in_place() {
    const std::optional<int> own = own_descriptor(path_);
    descriptor_ =
        own ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0) : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0)
        fail("open");
}

/// 1. Create a new file and lock it. Another run may have taken it for a leftover in between.
/// 2. If the file exists: lock it, which fails while another run is writing it, and remove it.
void OutputFile::open_part() {
    constexpr int max_tries = 100;
    for (int k = 0; k < max_tries && good(); ++k) {
        descriptor_ =
            ::open(part_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor_ >= 0 && lock(descriptor_) && is_at(part_path_, descriptor_))
            return;
        if (descriptor_ < 0 && errno != EEXIST)
            return fail("open");
        if (descriptor_ >= 0)
            ::close(std::exchange(descriptor_, -1));
        else if (const LeftPart left{part_path_}; left.usable())
            ::unlink(part_path_.c_str());
        else if (!left.problem().empty())
            problem_ = fmt::format("cannot open '{}': {}", path_, left.problem());
    }
    if (good()) {
        errno = EBUSY;
        fail("open");
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0)
        return;
    if (in_place_ || is_at(part_path_, descriptor_))
        remove_part(); // before the lock is released
    ::close(descriptor_);
}

bool OutputFile::write(std::string_view bytes) {
    if (!good())
        return false;
    while (bytes.size() > buffer_bytes - buffer_.size()) { // never exceeds the reserved size
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
    const int held = in_place_ ? -1 : ::dup(descriptor_); // keeps the lock until the rename
    const bool ours = in_place_ || is_at(part_path_, descriptor_);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0)
        fail("finish");
    else if (!ours)
        problem_ = fmt::format("cannot finish '{}': '{}' was removed or replaced meanwhile", path_,
                               part_path_);
    else if (!in_place_ && std::rename(part_path_.c_str(), path_.c_str()) != 0)
        fail("finish");
    if (!good() && ours)
        remove_part();
    if (held >= 0)
        ::close(held);
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

/// Accounts for the first bytes of the buffer having been written.
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
    const bool cut = descriptor_ < 0 || keeps_all_ || // closed, or not lines: keep all
                     ::ftruncate(descriptor_, static_cast<off_t>(lines_bytes_)) == 0;
    problem_ += fmt::format("; the earlier lines are in '{}'{}", part_path_,
                            cut ? "" : ", its last line cut");
}

void OutputFile::fail_to_write(int error, bool readable) {
    if (!good())
        return;
    keeps_all_ = keeps_all_ || readable;
    errno = error;
    fail("write");
}

void OutputFile::refuse(std::string problem) {
    if (good())
        problem_ = std::move(problem);
}

void OutputFile::remove_part() const {
    if (!in_place_ && !kept())
        ::unlink(part_path_.c_str());
}

LeftFile take_left_part(const std::string& path, const std::string& to) {
    const std::string part = path + ".part";
    const LeftPart left{part};
    if (left.usable() && std::rename(part.c_str(), to.c_str()) == 0)
        return LeftFile::taken;
    return left.in_use() ? LeftFile::in_use : LeftFile::none;
}

} // namespace sme
