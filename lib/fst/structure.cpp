// SPDX-License-Identifier: Apache-2.0
//
// A file is a list of blocks: one byte for the kind, eight bytes for the length (not counting the
// kind), and the contents. Numbers are big-endian; some have a variable length.
//
//   header     329 bytes: times, counts, the number e as a double
//   values     start and end time, memory; initial values; changes; their positions; times
//   geometry   the width of each signal
//   hierarchy  scopes and names
#include "fst/structure.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace sme::fst {

namespace {

enum Kind : std::uint8_t {
    header = 0,
    values = 1,
    blackout = 2,
    geometry = 3,
    hierarchy = 4,
    values_2 = 5,
    hierarchy_lz4 = 6,
    hierarchy_lz4_twice = 7,
    values_3 = 8,
    packed = 254,
    skipped = 255,
};

constexpr std::uint64_t header_bytes = 329;
constexpr std::uint64_t max_signals = std::uint64_t{1} << 28;

class File {
public:
    explicit File(int descriptor) : descriptor_{descriptor} {
        struct stat status {};
        if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
            bytes_ = static_cast<std::uint64_t>(status.st_size);
    }
    std::uint64_t bytes() const { return bytes_; }

    bool read(std::uint64_t at, void* into, std::size_t count) const {
        return at <= bytes_ && count <= bytes_ - at &&
               ::pread(descriptor_, into, count, static_cast<off_t>(at)) ==
                   static_cast<ssize_t>(count);
    }
    /// Returns 0 outside the file.
    std::uint64_t number(std::uint64_t at) const {
        std::array<unsigned char, 8> raw{};
        std::uint64_t value = 0;
        if (read(at, raw.data(), raw.size()))
            for (const unsigned char byte : raw)
                value = value << 8 | byte;
        return value;
    }
    /// Reads a number of seven bits per byte, lowest first, and moves `at` past it.
    std::optional<std::uint64_t> short_number(std::uint64_t& at) const {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            unsigned char byte = 0;
            if (!read(at++, &byte, 1))
                return std::nullopt;
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80)
                return value;
        }
        return std::nullopt;
    }

private:
    int descriptor_;
    std::uint64_t bytes_ = 0;
};

/// Returns whether `packed` bytes can expand to `bytes`: deflate expands one byte to at most 1,032.
bool can_hold(std::uint64_t packed, std::uint64_t bytes) {
    return bytes / 1032 <= packed && bytes <= std::uint64_t{1} << 36;
}

class Walk {
public:
    explicit Walk(const File& file) : file_{file} {}

    Structure check() {
        if (!check_header())
            return std::move(made_);
        std::uint64_t at = 1 + header_bytes;
        while (made_.problem.empty() && at < file_.bytes()) {
            unsigned char kind = 0;
            file_.read(at, &kind, 1);
            const std::uint64_t length = file_.number(at + 1);
            if (kind == skipped && !made_.finished)
                break; // the block being written
            if (length < 8 || length > file_.bytes() - at - 1)
                fail(at, "ends behind the end of the file: the file is cut");
            else
                check_block(kind, at + 1, length);
            at += 1 + length;
        }
        if (made_.problem.empty())
            check_counts();
        return std::move(made_);
    }

private:
    void fail(std::uint64_t at, const std::string& what) {
        if (made_.problem.empty())
            made_.problem = fmt::format("the block at byte {} {}", at, what);
    }

    bool check_header() {
        constexpr double e = 2.7182818284590452354;
        std::array<unsigned char, 8> raw{}, other{};
        double found = 0, swapped = 0;
        if (!file_.read(25, raw.data(), raw.size()) || file_.bytes() < 1 + header_bytes) {
            made_.problem = "it is cut within its first block";
            return false;
        }
        for (std::size_t k = 0; k < 8; ++k)
            other[k] = raw[7 - k];
        std::memcpy(&found, raw.data(), 8);
        std::memcpy(&swapped, other.data(), 8);
        if (found != e && swapped != e)
            made_.problem = "its first block is damaged";
        made_.finished = file_.number(9) != 0 || file_.number(17) != 0;
        signals_ = file_.number(57);
        if (signals_ > max_signals || file_.number(49) > 16 * max_signals)
            made_.problem = "it claims to have more signals than any file has";
        return made_.problem.empty();
    }

    void check_block(unsigned char kind, std::uint64_t at, std::uint64_t length) {
        switch (kind) {
        case values:
        case values_2:
        case values_3: return check_values(at, length);
        case geometry: return check_geometry(at, length);
        case hierarchy:
        case hierarchy_lz4:
        case hierarchy_lz4_twice:
            ++hierarchies_;
            if (length < 16 || !can_hold(length - 16, file_.number(at + 8)) ||
                file_.number(at + 8) >= std::uint64_t{1} << 31)
                fail(at - 1, "says wrongly how long the names are");
            return;
        case blackout:
        case skipped: return;
        default: fail(at - 1, "is of a kind that is not known");
        }
    }

    void check_geometry(std::uint64_t at, std::uint64_t length) {
        ++geometries_;
        const std::uint64_t bytes = file_.number(at + 8), signals = file_.number(at + 16);
        if (length < 24 || !can_hold(length - 24, bytes) || signals > bytes ||
            signals > max_signals)
            return fail(at - 1, "says wrongly how many signals there are");
        if (made_.finished && signals != signals_)
            fail(at - 1, "has another number of signals than the header");
    }

    /// Checks a block of values: 1. start and end time, memory  2. initial values
    /// 3. changes, their positions and the length of the positions
    /// 4. times and their sizes
    void check_values(std::uint64_t at, std::uint64_t length) {
        ++sections_;
        made_.last_time = file_.number(at + 16);
        const std::uint64_t end = at + length;
        std::uint64_t inside = at + 32;
        const auto bytes = file_.short_number(inside), packed_bytes = file_.short_number(inside),
                   signals = file_.short_number(inside);
        if (!bytes || !packed_bytes || !signals || *packed_bytes > length || inside > end ||
            *packed_bytes > end - inside || !can_hold(*packed_bytes, *bytes) ||
            *signals > max_signals)
            return fail(at - 1, "says wrongly how long its first values are");
        inside += *packed_bytes;
        const std::uint64_t times = file_.number(end - 24), packed_times = file_.number(end - 16),
                            count = file_.number(end - 8);
        if (length < 64 || packed_times > length - 64 || !can_hold(packed_times, times) ||
            count > times || count == 0)
            return fail(at - 1, "says wrongly how many times it has");
        const std::uint64_t places_end = end - 24 - packed_times - 8;
        if (places_end < inside || file_.number(places_end) > places_end - inside)
            return fail(at - 1, "says wrongly where its changes are");
        if (file_.number(at + 24) > std::uint64_t{1} << 36 ||
            file_.number(at + 8) > file_.number(at + 16))
            fail(at - 1, "says wrongly how long its changes are");
    }

    void check_counts() {
        if (sections_ == 0)
            made_.problem = "it has no values";
        else if (made_.finished && (hierarchies_ != 1 || geometries_ != 1))
            made_.problem = "its names are missing: it is cut";
        else if (made_.finished && sections_ != file_.number(65))
            made_.problem = fmt::format("it has {} blocks of values, but says that there are {}",
                                        sections_, file_.number(65));
    }

    const File& file_;
    Structure made_;
    std::uint64_t signals_ = 0;
    std::uint64_t sections_ = 0;
    std::uint64_t geometries_ = 0;
    std::uint64_t hierarchies_ = 0;
};

} // namespace

bool is_fst(int descriptor) {
    std::array<unsigned char, 9> begin{};
    if (::pread(descriptor, begin.data(), begin.size(), 0) != static_cast<ssize_t>(begin.size()))
        return false;
    constexpr std::array<unsigned char, 9> plain{0, 0, 0, 0, 0, 0, 0, 1, 73}; // 329
    return begin == plain || (begin[0] == packed && begin[1] != 0xff); // otherwise it is UTF-16
}

Structure check_structure(int descriptor) {
    const File file{descriptor};
    unsigned char kind = 0;
    file.read(0, &kind, 1);
    if (kind == packed) // a packed file: the library unpacks it first
        return file.number(1) + 1 == file.bytes() && can_hold(file.bytes(), file.number(9))
                   ? Structure{}
                   : Structure{"it is cut"};
    return Walk{file}.check();
}

} // namespace sme::fst
