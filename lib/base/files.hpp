// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sme {

/// What came of reading a file: its bytes, or why not (a sentence without the path).
struct FileText {
    std::optional<std::string> text;
    std::string problem;
    bool too_large = false;
};

/// Reads a regular file of at most `limit_bytes`.
FileText read_file(const std::string& path, std::size_t limit_bytes);

/// The byte-order mark of UTF-8, with which some programs begin a text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Reads a file that is text: a byte-order mark is left out, and UTF-16 is a problem.
FileText read_text(const std::string& path, std::size_t limit_bytes);

/// A file that appears under its name only when it is whole: it is written to `path.part` and
/// renamed by `commit`. A file that is not committed is removed. Not thread-safe. A path that
/// names something other than a regular file (a device, a pipe) is written in place, as is an open
/// file of this process (`/dev/stdout`), whatever that is.
///
/// `path.part` is always a new file of this object's own, locked (flock) until `commit` has renamed
/// it: a second OutputFile of the same path, here or in another process, is not `good`. The kernel
/// drops the lock when a process ends, so the `path.part` of a killed process is replaced. A
/// `path.part` that is no regular file, a link for example, is left alone, and is a problem.
class OutputFile {
public:
    /// `part`: what the name under way ends with. Who holds a path for long, and writes it several
    /// times meanwhile, keeps one OutputFile of it open and writes others, of another ending.
    explicit OutputFile(std::string path, std::string_view part = ".part");
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Appends bytes; after a failure it does nothing. Returns whether all went well so far.
    bool write(std::string_view bytes);
    /// Hands everything written so far to the system, for programs that read `path.part` meanwhile.
    bool flush();
    /// Waits until all that was written is on the disk. Returns whether all went well so far.
    bool sync();
    /// Flushes, closes and renames. Returns whether the file now stands whole under its name.
    bool commit();

    /// From now on lines are worth keeping: if the file cannot be finished, `path.part` stays, with
    /// the whole lines that could be written, and `problem` says so.
    void keep_lines() { keeps_lines_ = true; }
    /// The file will not be finished: what it came to is its problem.
    void abandon();

    /// The open file, for a library that writes and seeks there by itself; nothing goes through
    /// `write` then. It has the name `under_way`.
    int descriptor() const { return descriptor_; }
    const std::string& under_way() const { return part_path_; }
    bool in_place() const { return in_place_; }
    /// What such a library came to: an errno, or a sentence. `readable`: what it wrote before is
    /// worth keeping, and `path.part` stays.
    void fail_to_write(int error, bool readable);
    void refuse(std::string problem);
    /// The same of a file that has not failed: if it cannot be finished, it stays as it is.
    void keep_all() { keeps_all_ = true; }

    bool good() const { return problem_.empty(); }
    /// Why writing failed, for a diagnostic; empty while all is well.
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

/// Whether an OutputFile of that path writes in place.
bool is_written_in_place(const std::string& path);

/// What became of the file that a killed OutputFile left under way.
enum class LeftFile { none, taken, in_use };

/// Renames `path.part` to `to`, unless an OutputFile writes it now.
LeftFile take_left_part(const std::string& path, const std::string& to);

} // namespace sme
