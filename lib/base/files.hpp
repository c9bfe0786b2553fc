// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sme {

/// The result of reading a file: its bytes, or the reason for the failure (a sentence without the
/// path).
struct FileText {
    std::optional<std::string> text;
    std::string problem;
    bool too_large = false;
};

/// Reads a regular file of at most `limit_bytes`.
FileText read_file(const std::string& path, std::size_t limit_bytes);

/// The UTF-8 byte-order mark, with which some programs begin a text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Reads a text file: strips a byte-order mark; UTF-16 is a problem.
FileText read_text(const std::string& path, std::size_t limit_bytes);

/// A file that appears under its name only when complete: it is written to `path.part` and renamed
/// by `commit`. A file that is not committed is removed. Not thread-safe. A path that is not a
/// regular file (a device, a pipe) is written in place, as is an open file of this process
/// (`/dev/stdout`) of any kind.
///
/// `path.part` is always a new file of this object, locked (flock) until `commit` has renamed it: a
/// second OutputFile of the same path, in this or another process, is not `good`. The kernel
/// releases the lock when a process ends, so the `path.part` of a killed process is replaced. A
/// `path.part` that is not a regular file, for example a link, is left alone and is a problem.
class OutputFile {
public:
    /// `part`: the suffix of the name during writing. To hold a path for long and write it several
    /// times meanwhile, keep one OutputFile open and write through others with another suffix.
    explicit OutputFile(std::string path, std::string_view part = ".part");
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Appends bytes; does nothing after a failure. Returns whether everything has succeeded so
    /// far.
    bool write(std::string_view bytes);
    /// Passes everything written so far to the system, for programs that read `path.part`
    /// meanwhile.
    bool flush();
    /// Waits until everything written is on the disk. Returns whether everything has succeeded so
    /// far.
    bool sync();
    /// Flushes, closes and renames. Returns whether the file is now complete under its name.
    bool commit();

    /// Marks lines as worth keeping from now on: if the file cannot be finished, `path.part` keeps
    /// the complete lines written, and `problem` mentions it.
    void keep_lines() { keeps_lines_ = true; }
    /// Abandons the file: `problem` tells that it is unfinished and what was kept.
    void abandon();

    /// Returns the open file, for a library that writes and seeks itself; `write` is not used then.
    /// Its name is `under_way`.
    int descriptor() const { return descriptor_; }
    const std::string& under_way() const { return part_path_; }
    bool in_place() const { return in_place_; }
    /// Records a failure of such a library: an errno, or a sentence. `readable`: the bytes written
    /// so far are worth keeping, so `path.part` stays.
    void fail_to_write(int error, bool readable);
    void refuse(std::string problem);
    /// If the file cannot be finished, keeps it as it is, for a file that has not failed.
    void keep_all() { keeps_all_ = true; }

    bool good() const { return problem_.empty(); }
    /// Returns why writing failed, for a diagnostic; empty if nothing failed.
    const std::string& problem() const { return problem_; }
    const std::string& path() const { return path_; }

private:
    void open_in_place();
    void open_part();
    void fail(const char* action);
    void note_kept();
    bool kept() const {
        return (keeps_all_ || (keeps_lines_ && lines_bytes_ > 0)) && !in_place_ && !good();
    }
    void remove_part() const;
    void count(std::size_t bytes);

    std::string path_;
    std::string part_path_;
    std::string buffer_;
    std::string problem_;
    int descriptor_ = -1;
    bool in_place_ = false;
    bool keeps_lines_ = false;
    bool keeps_all_ = false;
    std::uint64_t written_bytes_ = 0;
    std::uint64_t lines_bytes_ = 0; // of those, up to the end of the last line
};

/// Returns whether an OutputFile of that path writes in place.
bool is_written_in_place(const std::string& path);

/// The state of a `path.part` that a killed OutputFile left.
enum class LeftFile { none, taken, in_use };

/// Renames `path.part` to `to`, unless an OutputFile is writing it.
LeftFile take_left_part(const std::string& path, const std::string& to);

} // namespace sme
