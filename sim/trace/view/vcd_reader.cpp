// SPDX-License-Identifier: Apache-2.0
//
// 1. reads the declarations, up to $enddefinitions, into memory
// 2. reads the times among the first values
// 3. reads the last time, from the end of the file
#include "trace/view/vcd_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/files.hpp"
#include "fst/structure.hpp"
#include "fst/text_stream.hpp"

namespace sme::trace {

namespace {

constexpr std::string_view end_mark = "$enddefinitions";
constexpr std::size_t read_bytes = std::size_t{1} << 20;
constexpr std::size_t tail_bytes = std::size_t{1} << 16;

/// A VCD file, or an FST file converted to text.
class File {
public:
    explicit File(const std::string& path) {
        descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor_ < 0)
            problem_ = std::strerror(errno);
        else if (fst::is_fst(descriptor_)) {
            stream_.emplace(descriptor_, path);
            problem_ = stream_->problem();
        }
    }
    ~File() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// Why the file cannot be read; empty if it can.
    const std::string& problem() const { return problem_; }

    /// Appends the next bytes; returns their number.
    std::size_t append(std::string& text, std::size_t bytes) {
        const std::size_t before = text.size();
        text.resize(before + bytes);
        std::size_t count = 0;
        while (count < bytes && problem_.empty()) {
            const ssize_t got = ::read(stream_ ? stream_->descriptor() : descriptor_,
                                       text.data() + before + count, bytes - count);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                problem_ = std::strerror(errno);
            else if (got == 0 && stream_)
                problem_ = stream_->end();
            if (got <= 0)
                break;
            count += static_cast<std::size_t>(got);
        }
        text.resize(before + count);
        return count;
    }
    std::uint64_t last_time();

private:
    int descriptor_ = -1;
    std::optional<fst::TextStream> stream_;
    std::string problem_;
};

/// The ascending times in "#12" lines; skips invalid numbers.
std::vector<std::uint64_t> times_in(std::string_view text, std::size_t most) {
    std::vector<std::uint64_t> times;
    for (std::size_t at = text.find("\n#"); at != std::string_view::npos && times.size() < most;
         at = text.find("\n#", at + 1)) {
        std::uint64_t time = 0;
        const char* const begin = text.data() + at + 2;
        const auto [end, error] = std::from_chars(begin, text.data() + text.size(), time);
        const bool whole = end != text.data() + text.size(); // otherwise the number may continue
        if (error == std::errc{} && whole && (times.empty() || time >= times.back()))
            times.push_back(time);
    }
    return times;
}

std::uint64_t File::last_time() {
    if (stream_)
        return fst::check_structure(descriptor_).last_time;
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    ::lseek(descriptor_, std::max<off_t>(0, size - off_t{tail_bytes}), SEEK_SET);
    std::string tail;
    append(tail, tail_bytes);
    const std::vector<std::uint64_t> times = times_in(tail, tail.size());
    return times.empty() ? 0 : times.back();
}

} // namespace

VcdSummary summary_of_vcd(const std::string& path) {
    VcdSummary result;
    File file{path};
    std::string text;
    std::size_t mark = std::string::npos;
    while (mark == std::string::npos) {
        const std::size_t searched =
            text.size() < end_mark.size() ? 0 : text.size() - end_mark.size();
        if (text.size() >= VcdSummary::max_bytes) {
            result.problem = fmt::format("the declarations of '{}' are longer than {} MiB", path,
                                         VcdSummary::max_bytes >> 20);
            return result;
        }
        if (file.append(text, read_bytes) == 0) {
            result.problem =
                file.problem().empty()
                    ? fmt::format("'{}' is no VCD file: it has no '{}'", path, end_mark)
                    : fmt::format("cannot read '{}': {}", path, file.problem());
            return result;
        }
        mark = text.find(end_mark, searched);
    }
    const std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    result.rows = rows_of_declarations(std::string_view{text}.substr(begin, mark - begin));
    if (result.rows.empty()) {
        result.problem = fmt::format("'{}' declares no signals", path);
        return result;
    }
    text.erase(0, mark);
    file.append(text, tail_bytes);
    result.times = times_in(text, VcdSummary::max_times);
    result.end = file.last_time();
    return result;
}

} // namespace sme::trace
