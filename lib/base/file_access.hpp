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

/// Decides which files a run may write and, when reading is bounded, read; no other code decides
/// this. Files are compared by identity (device and inode) and by location (with links resolved),
/// so a link or another spelling is the same file. Not thread-safe.
class FileAccess {
public:
    /// A request to write a file.
    struct WriteRequest {
        std::string path;
        std::string what;        ///< for messages: "a VCD file"
        bool by_network = false; ///< true: named by a network; false: by the user
        /// Returns whether the first bytes of an existing file identify it as this kind.
        std::function<bool(std::string_view begin)> fits = {};
        std::string replaces = {}; ///< a file that the run has finished reading: a checkpoint
    };
    enum class Refusal : std::uint8_t { none, outside, is_read, is_written, other_kind };

    /// Allows a network to write a file, or everything below a folder, and to read it when reading
    /// is bounded.
    void allow(const std::string& path);
    /// The same for reading only.
    void allow_reading(const std::string& path);
    /// Allows overwriting existing files of another kind.
    void force() { force_ = true; }
    /// Restricts a network's reading to the allowed files from now on.
    void bound_reading() { bounded_ = true; }
    bool bounds_reading() const { return bounded_; }

    /// Records a file that the run reads.
    void note_read(const std::string& path);
    /// The same for a file named by a network. Returns false, and records nothing, if it may not be
    /// read.
    bool note_read_by_network(const std::string& path);

    /// Records a file that the run writes, including the `path.part` that holds it during the run.
    /// If it may not be written, `problem` gives the reason and a remedy.
    Refusal claim(const WriteRequest& wish, std::string& problem);

private:
    /// The identity of a file and the location of its name.
    struct Identity {
        std::optional<std::pair<std::uint64_t, std::uint64_t>> inode; // `nullopt`: no such file
        std::string place;   // its name in the resolved folder; a link at this name is not followed
        std::string target;  // with that link followed
        bool regular = true; // also true if the file does not exist
        bool is_same(const Identity& other) const;
    };
    struct Known {
        std::string path;
        Identity identity;
    };

    static Identity identity_of(const std::string& path);
    static std::string other_kind(const WriteRequest& wish, const std::string& path);
    bool is_allowed(const std::string& target, bool writes) const;
    Refusal claim_one(const WriteRequest& wish, const std::string& path, std::string& problem);

    std::vector<std::string> writable_, readable_; // resolved
    std::vector<Known> read_, written_;
    bool force_ = false;
    bool bounded_ = false;
};

} // namespace sme
