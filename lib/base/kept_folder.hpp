// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace sme {

/// Whether a folder belongs to another user than the one who runs this. For one that is not there:
/// whether the folder that it would be made in does, the system's own apart.
bool is_of_another(const std::string& folder);

/// Makes a folder that is not there yet, for the user who runs this alone, and takes from others
/// the right to write to one that is. An empty text, or why nothing can be kept in it.
std::string own_folder(const std::string& folder);

/// A folder of folders, each under a key, of what took long to make. What stands under a key is
/// whole: it is made beside the others and renamed. Processes may use one folder at the same time.
class KeptFolder {
public:
    /// The ones that were used longest ago go when all together are larger than that. `mark` is a
    /// file that each of them has.
    KeptFolder(std::string folder, std::string mark, std::uintmax_t max_bytes)
        : folder_{std::move(folder)}, mark_{std::move(mark)}, max_bytes_{max_bytes} {}

    /// One caller at a time for each key, in all processes, while this lives. `problem` says why
    /// it could not be had; then nothing is kept. It is waited for until `unwanted` is true.
    class Lock {
    public:
        Lock(const std::string& folder, const std::string& key,
             const std::atomic<bool>* unwanted = nullptr);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        const std::string& problem() const { return problem_; }

    private:
        int descriptor_ = -1;
        std::string problem_;
    };

    const std::string& folder() const { return folder_; }
    std::string place(const std::string& key) const { return folder_ + "/" + key; }
    /// Whether a file stands under a key that only the user who runs this could have put there: it
    /// and the folders above it belong to that user, and others may not write to them.
    bool holds(const std::string& key, const std::string& file) const;
    /// Of a text that says what something is made of.
    static std::string key_of(const std::string& identity);

    /// A new folder to make something in; empty, with a problem, when there can be none.
    std::string begin(std::string& problem) const;
    /// From now on it stands under a key. An empty text, or why not.
    std::string publish(const std::string& made_in, const std::string& key) const;
    /// What stands under a key was used just now.
    void touch(const std::string& key) const;

private:
    void remove_old() const;

    std::string folder_, mark_;
    std::uintmax_t max_bytes_;
};

/// The number of a file's bytes and their digest; "none" where it cannot be read, or is longer.
std::string digest_of_file(const std::string& path, std::size_t max_bytes);

} // namespace sme
