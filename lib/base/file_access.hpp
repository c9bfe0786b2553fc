// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sme {

/// The files that one run reads and writes: the one place that decides whether a path may be
/// written, and, when reading is bounded, read. Files are compared by what they are (device and
/// inode) and by where they stand (with links resolved), so a link or another spelling is the same
/// file. Not thread-safe.
class FileAccess {
public:
    /// A file that is to be written.
    struct Wish {
        std::string path;
        std::string what;        ///< as in "a VCD file", for messages
        bool by_network = false; ///< a network names it; else the user does
        /// Whether the first bytes of an existing file show that it is of this kind.
        std::function<bool(std::string_view begin)> fits = {};
        std::string replaces = {}; ///< a file that the run has finished reading: a checkpoint
    };
    enum class Refusal : std::uint8_t { none, outside, is_read, is_written, other_kind };

    /// A file, or a folder with all that is below it, in which a network may write, and read when
    /// reading is bounded.
    void allow(const std::string& path);
    /// The same, but not to write.
    void allow_reading(const std::string& path);
    /// Existing files of another kind may be written over.
    void force() { force_ = true; }
    /// From now on a network may read only the allowed files.
    void bound_reading() { bounded_ = true; }

    /// Notes a file that the run reads.
    void note_read(const std::string& path);
    /// The same, for one that a network names. False: it may not be read, nor is it noted.
    bool note_read_by_network(const std::string& path);

    /// Notes a file that the run writes, with the `path.part` that it stands in meanwhile. When it
    /// may not be written, `problem` says why, and what to do instead.
    Refusal claim(const Wish& wish, std::string& problem);

private:
    /// What a file is, and where its name stands.
    struct Identity {
        std::optional<std::pair<std::uint64_t, std::uint64_t>> inode; // none: there is no such file
        std::string place;  // its name in the resolved folder; a link in that place is not followed
        std::string target; // with that link followed
        bool regular = true; // or not there
        bool is_same(const Identity& other) const;
    };
    struct Known {
        std::string path;
        Identity identity;
    };

    static Identity identity_of(const std::string& path);
    static std::string other_kind(const Wish& wish, const std::string& path);
    bool is_allowed(const std::string& target, bool writes) const;
    Refusal claim_one(const Wish& wish, const std::string& path, std::string& problem);

    std::vector<std::string> writable_, readable_; // resolved
    std::vector<Known> read_, written_;
    bool force_ = false;
    bool bounded_ = false;
};

} // namespace sme
